package diagnose

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
)

// ReadVars reads what expvar publishes at /debug/vars: the memstats in it.
func ReadVars(file string) (Runtime, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Runtime{}, err
	}
	var vars struct {
		MemStats *runtime.MemStats `json:"memstats"`
	}
	if err := json.Unmarshal(data, &vars); err != nil {
		return Runtime{}, fmt.Errorf("%s: no answer of /debug/vars: %w", file, err)
	}
	if vars.MemStats == nil {
		return Runtime{}, fmt.Errorf("%s: no memstats in it; import expvar in the program and fetch /debug/vars", file)
	}
	return runtimeOf(vars.MemStats), nil
}

func runtimeOf(m *runtime.MemStats) Runtime {
	known := func(v uint64) Known { return Known{float64(v), true} }
	return Runtime{
		Cycles:       known(uint64(m.NumGC)),
		Goal:         known(m.NextGC),
		Stacks:       known(m.StackSys),
		Objects:      known(m.HeapAlloc),
		InUse:        known(m.HeapInuse),
		Idle:         known(m.HeapIdle),
		Released:     known(m.HeapReleased),
		Metadata:     known(m.MSpanSys + m.MCacheSys + m.BuckHashSys + m.GCSys + m.OtherSys),
		Sys:          known(m.Sys),
		CollectorCPU: Known{m.GCCPUFraction, m.GCCPUFraction > 0},
	}
}
