package collect

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
)

// GC holds the runtime's counters of collection, from memstats in /debug/vars
// (runtime.MemStats explains each). Other than a profile it is not sampled.
type GC struct {
	Window  *GCWindow `json:"window,omitempty"` // nil where only one of two answers came
	Process GCProcess `json:"process"`          // the state at the end
}

// GCWindow holds the collections between two answers.
type GCWindow struct {
	Cycles       uint32  `json:"cycles"`
	Forced       uint32  `json:"forced"`          // cycles that runtime.GC asked for, also because of -gc
	Asked        uint32  `json:"asked,omitempty"` // the part of Forced that was asked for, with -gc or by diagnose
	PauseSeconds float64 `json:"pause_seconds"`
	LongestPause float64 `json:"longest_pause_seconds"` // the last 256 cycles count
	AllocBytes   uint64  `json:"alloc_bytes"`
	AllocObjects uint64  `json:"alloc_objects"`
	// CPUShare is the collector's share of the process's CPU time in the window, idle
	// marking excluded; nil where the service does not publish runtime/metrics.
	CPUShare *float64 `json:"cpu_share,omitempty"`
}

// GCProcess is the state of the process.
type GCProcess struct {
	Cycles       uint32  `json:"cycles"`           // counted since it started
	Forced       uint32  `json:"forced,omitempty"` // cycles that runtime.GC asked for
	CPUFraction  float64 `json:"cpu_fraction"`     // share of the CPU time that was available since it started
	HeapAlloc    uint64  `json:"heap_alloc_bytes"` // live and not yet swept
	NextGC       uint64  `json:"next_gc_bytes"`
	HeapIdle     uint64  `json:"heap_idle_bytes"`
	HeapReleased uint64  `json:"heap_released_bytes"` // idle bytes given back
	Stacks       uint64  `json:"stack_bytes"`
	Sys          uint64  `json:"sys_bytes"` // obtained from the system in all
}

// parseVars reads an answer of expvar.
func parseVars(data []byte) (map[string]json.RawMessage, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("the answer is not the JSON of expvar (%w); check the URL", err)
	}
	return all, nil
}

func memstats(data []byte) (*runtime.MemStats, error) {
	all, err := parseVars(data)
	if err != nil {
		return nil, err
	}
	if all["memstats"] == nil {
		return nil, errors.New("/debug/vars has no memstats: GC statistics are not known")
	}
	m := new(runtime.MemStats)
	if err := json.Unmarshal(all["memstats"], m); err != nil {
		return nil, fmt.Errorf("memstats in /debug/vars: %w: GC statistics are not known", err)
	}
	return m, nil
}

// gcOf sums up one or two answers; first may be nil.
func gcOf(first, last *runtime.MemStats) *GC {
	gc := &GC{Process: GCProcess{
		Cycles: last.NumGC, Forced: last.NumForcedGC, CPUFraction: last.GCCPUFraction,
		HeapAlloc: last.HeapAlloc, NextGC: last.NextGC, HeapIdle: last.HeapIdle, HeapReleased: last.HeapReleased,
		Stacks: last.StackInuse, Sys: last.Sys,
	}}
	if first == nil || last.NumGC < first.NumGC || last.TotalAlloc < first.TotalAlloc ||
		last.PauseTotalNs < first.PauseTotalNs {
		return gc // none, or of another process
	}
	w := &GCWindow{
		Cycles: last.NumGC - first.NumGC, Forced: last.NumForcedGC - first.NumForcedGC,
		PauseSeconds: float64(last.PauseTotalNs-first.PauseTotalNs) / 1e9,
		AllocBytes:   last.TotalAlloc - first.TotalAlloc, AllocObjects: last.Mallocs - first.Mallocs,
	}
	// The pause of cycle n lies at (n+255)%256 (runtime.MemStats.PauseNs).
	var longest uint64
	for n := last.NumGC; n > first.NumGC && last.NumGC-n < uint32(len(last.PauseNs)); n-- {
		longest = max(longest, last.PauseNs[(n+255)%256])
	}
	w.LongestPause = float64(longest) / 1e9
	gc.Window = w
	return gc
}
