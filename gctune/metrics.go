package gctune

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
)

// Metric is one figure for a monitoring system.
type Metric struct {
	Name    string // Prometheus's name, unit included
	Help    string
	Counter bool // else a gauge
	Value   float64
}

// Metrics yields the figures of a snapshot, for monitoring systems. The modules
// gctuneprom and gctuneotel pass them to the client libraries, which gctune itself
// does not import.
func (s Snapshot) Metrics() iter.Seq[Metric] {
	flag := func(state State) float64 {
		if s.State == state {
			return 1
		}
		return 0
	}
	all := []Metric{
		{"gctune_gogc_percent", "GOGC in force, -1 is off.", false, float64(s.GOGC)},
		{"gctune_memory_limit_bytes", "The runtime's soft memory limit in force.", false, float64(s.MemoryLimit)},
		{"gctune_heap_goal_bytes", "Heap size at which the next collection should end.", false, float64(s.Goal)},
		{"gctune_heap_live_bytes", "Heap that the last collection found live.", false, float64(s.Live)},
		{"gctune_heap_floor_bytes", "Heap floor in force.", false, float64(s.Floor)},
		{"gctune_process_limit_bytes", "Limit on the process, 0 if none is known.", false, float64(s.Limit)},
		{"gctune_non_go_bytes", "Charged to the limit but not mapped by the Go runtime.", false, float64(s.NonGo)},
		{"gctune_need_ratio", "Share of the limit that no collection could free.", false, s.NeedShare},
		{"gctune_gc_cpu_ratio", "Share of the CPU that collections took lately.", false, s.GCCPU},
		{"gctune_defending", "1 while the CPU cap is given up for the limit.", false, flag(Defending)},
		{"gctune_exceeding", "1 while the limit is given up for the CPU cap.", false, flag(Exceeding)},
		{"gctune_yielded", "1 after somebody else has set GOGC or the limit.", false, flag(Yielded)},
		{"gctune_decisions_total", "Times that settings were moved.", true, float64(s.Decisions)},
		{"gctune_defended_total", "Times that the CPU cap was given up.", true, float64(s.Defended)},
		{"gctune_exceeded_total", "Times that the limit was given up.", true, float64(s.Exceeded)},
		{"gctune_hook_errors_total", "Hooks that failed.", true, float64(s.HookErrors)},
	}
	return slices.Values(all)
}

// WritePrometheus writes the snapshot in Prometheus's text format, version
// 0.0.4, to be appended to the text of /metrics.
func WritePrometheus(w io.Writer, s Snapshot) error {
	for m := range s.Metrics() {
		kind := "gauge"
		if m.Counter {
			kind = "counter"
		}
		if _, err := fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s %s\n", m.Name, m.Help, m.Name, kind, m.Name,
			strconv.FormatFloat(m.Value, 'g', -1, 64)); err != nil {
			return fmt.Errorf("gctune: metrics: %w", err)
		}
	}
	return nil
}
