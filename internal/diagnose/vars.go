package diagnose

import (
	"encoding/json"
	"fmt"
	"runtime"

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
	return runtimeOf(vars.MemStats), nil
}

// runtimeOf leaves GCCPUFraction out: it is since the start and of the CPU time
// that was available, not of the window and of the CPU time that was used.
func runtimeOf(m *runtime.MemStats) evidence.Runtime {
	known := func(v uint64) evidence.Known { return evidence.Known{Value: float64(v), OK: true} }
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
	}
}
