// Package gate compares effects with a budget: how much worse a metric may get before a
// change is stopped.
//
// The stance: people switch off a gate that raises false alarms. A change fails only if
// the whole interval lies beyond the budget, so that noise stops nobody. An effect that
// may lie beyond it is inconclusive, never a pass.
package gate

import (
	"path"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/sample"
)

// Limit is how much worse a metric may get.
type Limit struct {
	Grow  float64 `json:"grow"`  // share of the baseline: 0.05 is 5%
	Floor float64 `json:"floor"` // this much more, in the metric's unit, never fails
	Off   bool    `json:"-"`     // the metric is not gated
}

// Exception allows a regression for a while.
type Exception struct {
	Benchmark string    `json:"benchmark"` // pattern as for path.Match, of the name that reports show; a star ends at a slash
	Metric    string    `json:"metric"`
	Grow      float64   `json:"grow"`
	Until     time.Time `json:"until"` // the first day on which it holds no more
	Reason    string    `json:"reason"`
}

// Budget is the limits for all benchmarks. The zero Budget limits nothing; see
// Default.
type Budget struct {
	limits     map[string]Limit // metric → its limit
	benchmarks []override
	exceptions []Exception
}

type override struct {
	pattern string
	limits  map[string]Limit
}

// Default is 5% on CPU, bytes, allocations and peak RSS. The floors are half a
// nanosecond, a cycle or two, by which the place of a loop in memory changes it;
// half an allocation, the smallest size class, and the chunk by which the
// runtime's page heap grows (runtime.pallocChunkBytes).
func Default() *Budget {
	return &Budget{limits: map[string]Limit{
		sample.Primary:   {Grow: 0.05, Floor: 0.5e-9},
		"B/op":           {Grow: 0.05, Floor: 8},
		"allocs/op":      {Grow: 0.05, Floor: 0.5},
		"peak-RSS-bytes": {Grow: 0.05, Floor: 4 << 20},
	}}
}

// limit returns the limit for a metric of a benchmark; the last entry that
// matches holds.
func (b *Budget) limit(k sample.Key, metric string) (Limit, bool) {
	l, ok := b.limits[metric]
	for _, o := range b.benchmarks {
		if own, has := o.limits[metric]; has && matches(o.pattern, k) {
			l, ok = own, true
		}
	}
	return l, ok && !l.Off
}

// exception returns the exception for a metric of a benchmark, nil if there is
// none; the last one that matches holds.
func (b *Budget) exception(k sample.Key, metric string) *Exception {
	for i, e := range slices.Backward(b.exceptions) {
		if e.Metric == metric && matches(e.Benchmark, k) {
			return &b.exceptions[i]
		}
	}
	return nil
}

// matches holds a pattern against the name that reports show. Its syntax was
// checked when it was read.
func matches(pattern string, k sample.Key) bool {
	ok, _ := path.Match(pattern, k.String())
	return ok || pattern == k.String()
}
