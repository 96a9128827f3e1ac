package diagnose

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/input"
)

// readVars reads the memstats that expvar publishes at /debug/vars.
func readVars(file string) (evidence.Runtime, error) {
	data, err := input.ReadRegular(file, 64<<20)
	if err != nil {
		return evidence.Runtime{}, err
	}
	var vars struct {
		MemStats *runtime.MemStats `json:"memstats"`
	}
	if err := json.Unmarshal(data, &vars); err != nil {
		return evidence.Runtime{}, fmt.Errorf("%s: no answer of /debug/vars: %w", file, err)
	}
	if vars.MemStats == nil {
		return evidence.Runtime{}, fmt.Errorf("%s: no memstats in it; import expvar in the program and fetch /debug/vars", file)
	}
	rt := runtimeOf(vars.MemStats)
	rt.Limit, rt.Percent = settings(data)
	return rt, nil
}

// settings returns GOMEMLIMIT and GOGC if the program publishes runtime/metrics, as
// separate variables or in one object by name. The runtime writes the largest number for
// a setting that is off.
func settings(data []byte) (limit, percent evidence.Known) {
	var all map[string]json.RawMessage
	if json.Unmarshal(data, &all) != nil {
		return limit, percent
	}
	named := func(name string, off float64) evidence.Known {
		v := all[name]
		for _, object := range all {
			var within map[string]json.RawMessage
			if v == nil && json.Unmarshal(object, &within) == nil {
				v = within[name]
			}
		}
		var n float64
		known := v != nil && json.Unmarshal(v, &n) == nil && n > 0 && n < off
		return evidence.Known{Value: n, OK: known}
	}
	return named("/gc/gomemlimit:bytes", math.MaxInt64), named("/gc/gogc:percent", 1<<31)
}

// recent returns the counts of collections in a window.
func recent(cycles, forced uint32, bytes uint64) evidence.Counts {
	known := func(v float64) evidence.Known { return evidence.Known{Value: v, OK: true} }
	return evidence.Counts{Cycles: known(float64(cycles)), Forced: known(float64(forced)), Allocated: known(float64(bytes))}
}

// runtimeOf converts memstats. It does not use GCCPUFraction: that is the share since the
// start of the process, and a share of the available CPU time, not of the CPU time used.
func runtimeOf(m *runtime.MemStats) evidence.Runtime {
	known := func(v uint64) evidence.Known { return evidence.Known{Value: float64(v), OK: true} }
	var collected time.Time
	if m.LastGC > 0 {
		collected = time.Unix(0, int64(m.LastGC))
	}
	return evidence.Runtime{
		Cycles:   known(uint64(m.NumGC)),
		Goal:     known(m.NextGC),
		Stacks:   known(m.StackSys),
		Objects:  known(m.HeapAlloc),
		InUse:    known(m.HeapInuse),
		Idle:     known(m.HeapIdle),
		Released: known(m.HeapReleased),
		Metadata: known(m.MSpanSys + m.MCacheSys + m.BuckHashSys + m.GCSys + m.OtherSys),
		Sys:      known(m.Sys),
		Recent:   evidence.Counts{Cycles: known(uint64(m.NumGC)), Forced: known(uint64(m.NumForcedGC))}, Collected: collected,
	}
}
