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
	Name    string // Prometheus name, with the unit
	Help    string
	Counter bool // false for a gauge
	Value   float64
}

// Metrics yields the figures of a snapshot, for monitoring systems. The modules
// gctuneprom and gctuneotel pass them to the client libraries, which gctune itself
// does not import. Names and their order do not depend on the snapshot.
func (s Snapshot) Metrics() iter.Seq[Metric] {
	gauge := func(name string, value float64, help string) Metric {
		return Metric{Name: name, Help: help, Value: value}
	}
	counter := func(name string, count uint64, help string) Metric {
		return Metric{Name: name, Help: help, Counter: true, Value: float64(count)}
	}
	inState := func(state State) float64 {
		if s.State == state {
			return 1
		}
		return 0
	}
	return slices.Values([]Metric{
		gauge("gctune_gogc_percent", float64(s.GOGC), "GOGC in force, -1 is off."),
		gauge("gctune_memory_limit_bytes", float64(s.MemoryLimit), "The runtime's soft memory limit in force."),
		gauge("gctune_heap_goal_bytes", float64(s.Goal), "Heap size at which the next collection should end."),
		gauge("gctune_heap_live_bytes", float64(s.Live), "Heap that the last collection found live."),
		gauge("gctune_heap_floor_bytes", float64(s.Floor), "Heap floor in force."),
		gauge("gctune_process_limit_bytes", float64(s.Limit), "Limit on the process, 0 if none is known."),
		gauge("gctune_non_go_bytes", float64(s.NonGo), "Memory charged to the limit but not mapped by the Go runtime."),
		gauge("gctune_need_ratio", s.NeedShare, "Share of the limit that no collection could free."),
		gauge("gctune_gc_cpu_ratio", s.GCCPU, "Share of the CPU that collections took over the last whole second or cycle."),
		gauge("gctune_defending", inState(Defending), "1 while the CPU cap is given up for the limit."),
		gauge("gctune_exceeding", inState(Exceeding), "1 while the limit is given up for the CPU cap."),
		gauge("gctune_yielded", inState(Yielded), "1 after other code has set GOGC or the limit."),
		counter("gctune_decisions_total", s.Decisions, "Number of times the tuner changed its settings."),
		counter("gctune_defended_total", s.Defended, "Number of times the CPU cap was given up."),
		counter("gctune_exceeded_total", s.Exceeded, "Number of times the limit was given up."),
		counter("gctune_hook_errors_total", s.HookErrors, "Number of hooks that failed."),
	})
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
