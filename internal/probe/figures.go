package probe

import (
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/sample"
)

// Figures returns the samples of a run that took a number of operations, by
// metric: CPU, wall time, page faults, peak RSS. One that the system did not
// report is missing.
func Figures(o process.Outcome, operations int) map[string]float64 {
	n := float64(operations)
	values := map[string]float64{
		sample.Primary:   o.Usage.CPU().Seconds() / n,
		"sec/op":         o.Wall.Seconds() / n,
		"page-faults/op": float64(o.Usage.MinorFaults+o.Usage.MajorFaults) / n,
	}
	if o.Usage.PeakRSS > 0 {
		values[sample.PeakRSS] = float64(o.Usage.PeakRSS)
	}
	return values
}

// GC returns the samples about the collector of a run that took a number of
// operations, by metric, and for each that it cannot give the reason why. Each
// is taken from the source that knows it best; dump, trace or both may be nil.
//
// The shares of CPU time come from a dump alone. A trace's CPU times are read
// off the clock, and to set them against the kernel's CPU time is wrong where
// the machine is shared: of the same program it made shares from 0.2 to 1.4,
// where the dump, which has both by the clock, said 0.04 to 0.2.
//
// Collections that the program forced count only if asked for: in a test they come from
// package testing, which forces one before each round of a benchmark.
func GC(forced bool, operations int, dump *Dump, trace *Trace) (values map[string]float64, missing map[string]string) {
	if trace != nil && trace.Mixed {
		trace = nil // not of this process alone
	}
	if trace != nil && dump != nil && dump.Spans != nil {
		part := trace.within(dump.Spans)
		trace = &part
	}
	var cycles, gc, assist, pause, live, goal []source // the best first
	if dump != nil || trace != nil {
		// Unless the dump is final either may lack the last collections.
		n := 0
		if dump != nil {
			n = dump.Cycles(forced)
		}
		if trace != nil && (dump == nil || !dump.Final) {
			n = max(n, trace.Count(forced))
		}
		cycles = append(cycles, is(float64(n)/float64(operations)))
	}
	if dump != nil {
		g, a := dump.CPUShares()
		gc, assist = append(gc, is(g)), append(assist, is(a))
		live = append(live, func() (float64, bool) { return median(dump.Live) })
		goal = append(goal, func() (float64, bool) { return median(dump.Goal) })
	}
	if trace != nil {
		// Three digits of each pause, where the dump has buckets; but MiB,
		// where the dump has bytes.
		pause = append(pause, func() (float64, bool) { p, ok := trace.Pause(0.99); return p.Seconds(), ok })
		live = append(live, func() (float64, bool) { b, ok := trace.Live(); return float64(b), ok })
		goal = append(goal, func() (float64, bool) { b, ok := trace.Goal(); return float64(b), ok })
	}
	if dump != nil {
		pause = append(pause, func() (float64, bool) { return dump.Pause(0.99) })
	}

	values, missing = map[string]float64{}, map[string]string{}
	for metric, sources := range map[string][]source{
		"gc-cycles/op":        cycles,
		"gc-cpu-fraction":     gc,
		"assist-cpu-fraction": assist,
		"stw-p99-sec":         pause,
		"live-heap-bytes":     live,
		"heap-goal-bytes":     goal,
	} {
		missing[metric] = "there is no dump of the run"
		for _, s := range sources {
			if v, ok := s(); ok {
				values[metric] = v
				delete(missing, metric)
				break
			}
			missing[metric] = "the run ended without a collection"
		}
	}
	return values, missing
}

// source is where a figure may come from; false if it does not have it.
type source func() (float64, bool)

func is(v float64) source { return func() (float64, bool) { return v, true } }
