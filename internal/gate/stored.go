package gate

import (
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/stats"
	"github.com/heapwright/heapwright/internal/verdict"
)

// portable are the metrics that hold from one machine to another: how much a
// program allocates does not depend on how fast or how busy the machine is.
var portable = []string{"B/op", "allocs/op"}

// Stored returns the parts of a report that CheckStored needs, fit to be kept in a
// repository: no other metrics, and nothing of the machine but its kind.
func Stored(doc *result.Document) *result.Document {
	s := &result.Document{
		Schema: doc.Schema, Tool: doc.Tool, Started: doc.Started, Finished: doc.Finished, Target: doc.Target,
		Machine: result.Machine{OS: doc.Machine.OS, Arch: doc.Machine.Arch}, Baseline: doc.Baseline,
		Modes:      []result.Mode{{Name: doc.Baseline, Identity: mode.Identity{GoVersion: goVersion(doc)}}},
		Benchmarks: doc.Benchmarks,
	}
	for _, run := range doc.Runs {
		if run.Mode != doc.Baseline {
			continue
		}
		kept := map[string]float64{}
		for _, metric := range portable {
			if v, ok := run.Values[metric]; ok {
				kept[metric] = v
			}
		}
		run.Values = kept
		s.Runs = append(s.Runs, run)
	}
	return s
}

// CheckStored compares new measurements with a stored report, perhaps from another
// machine. It compares only metrics that do not depend on the machine. The runs cannot be
// paired, so the interval of a ratio is the widest possible one. Its ends are the smallest
// new value relative to the largest stored one, and the reverse.
func CheckStored(stored, now *result.Document, b *Budget) (*Result, error) {
	// Sizes of types differ between architectures, so such reports have nothing in common.
	r := &Result{Base: "the stored report", Head: "the work tree"}
	if s, n := stored.Machine.Arch, now.Machine.Arch; s != n {
		return nil, fmt.Errorf("the stored report was measured on %s, this is %s: sizes differ; store one for each",
			s, n)
	}
	if s, n := goVersion(stored), goVersion(now); s != n {
		r.Warnings = append(r.Warnings,
			fmt.Sprintf("stored with %s, measured with %s: allocations of the standard library may differ", s, n))
	}
	for _, bench := range stored.Benchmarks {
		if !has(now, bench.Key) {
			r.OnlyBase = append(r.OnlyBase, bench.Key)
			continue
		}
		for _, metric := range portable {
			e := verdict.Effect{Key: bench.Key, Mode: now.Baseline, Metric: metric}
			then, today := values(stored, e), values(now, e)
			if len(then) == 0 || len(today) == 0 {
				continue
			}
			// Bytes and allocations are nearly exact, so the extremes of both sides make the
			// interval.
			e.Blocks = len(today)
			e.Baseline, e.Candidate = stats.Median(then), stats.Median(today)
			e.Ratio = ratio(e.Candidate, e.Baseline)
			e.Low = ratio(slices.Min(today), slices.Max(then))
			e.High = ratio(slices.Max(today), slices.Min(then))
			if row, ok := b.check(e); ok {
				row.MoreBlocks = 0 // they would only widen such an interval
				r.Rows = append(r.Rows, row)
			}
		}
	}

	// Benchmarks on one side only are reported, so that none is dropped unseen.
	for _, bench := range now.Benchmarks {
		if !has(stored, bench.Key) {
			r.OnlyHead = append(r.OnlyHead, bench.Key)
		}
	}
	for _, f := range now.Failures {
		if has(stored, f.Key) {
			r.breaks(f)
		}
	}
	if r.empty() {
		return nil, fmt.Errorf("the stored report has no figure of %v that was measured now as well; store it again",
			portable)
	}
	r.arrange(b, now.Benchmarks)
	return r, nil
}

func goVersion(doc *result.Document) string {
	for _, m := range doc.Modes {
		if m.Name == doc.Baseline {
			return m.Identity.GoVersion
		}
	}
	return ""
}

func has(doc *result.Document, k sample.Key) bool {
	return slices.ContainsFunc(doc.Benchmarks, func(b result.Benchmark) bool { return b.Key == k })
}

// values are the samples of an effect's metric in the baseline of a document.
func values(doc *result.Document, e verdict.Effect) []float64 {
	var all []float64
	for _, run := range doc.Runs {
		if v, ok := run.Values[e.Metric]; ok && run.Key == e.Key && run.Mode == doc.Baseline {
			all = append(all, v)
		}
	}
	return all
}

// ratio is 1 where both are zero, and Infinite for a change from zero.
func ratio(now, then float64) float64 {
	switch {
	case now == then:
		return 1
	case then == 0:
		return result.Infinite
	}
	return now / then
}
