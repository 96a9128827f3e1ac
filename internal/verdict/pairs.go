package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/heapwright/heapwright/internal/sample"
)

// A cell is a benchmark in a mode.
type cell struct {
	sample.Key
	mode string
}

// A table holds the runs of an experiment, so that they can be paired.
type table struct {
	runs    map[cell]map[int]sample.Run // block → its run
	keys    []sample.Key                // benchmarks that the baseline ran, sorted
	modes   []string                    // candidates, sorted
	metrics []string                    // judged ones, in the order they are shown
	blocks  int                         // number of blocks, complete or not
}

func newTable(runs []sample.Run, baseline string) (*table, error) {
	t := &table{runs: make(map[cell]map[int]sample.Run)}
	blocks, modes, metrics := make(map[int]bool), make(map[string]bool), make(map[string]bool)
	for _, r := range runs {
		at := cell{r.Key, r.Mode}
		if t.runs[at] == nil {
			t.runs[at] = make(map[int]sample.Run)
			if r.Mode == baseline {
				t.keys = append(t.keys, r.Key)
			}
		}
		if _, twice := t.runs[at][r.Block]; twice {
			return nil, fmt.Errorf(
				"block %d holds two runs of %v in mode %s, and it is unknown which counts: leave one out",
				r.Block, r.Key, r.Mode)
		}
		t.runs[at][r.Block] = r
		blocks[r.Block] = true
		modes[r.Mode] = true
		for name := range r.Values {
			metrics[name] = true
		}
	}
	if len(t.keys) == 0 {
		return nil, fmt.Errorf("no run of the baseline %q among %d runs: nothing can be compared", baseline, len(runs))
	}
	slices.SortFunc(t.keys, func(a, b sample.Key) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Benchmark, b.Benchmark))
	})
	t.blocks = len(blocks)
	delete(modes, baseline)
	delete(modes, baseline+sample.ControlSuffix)
	t.modes = slices.Sorted(maps.Keys(modes))
	t.metrics = judged(metrics)
	return t, nil
}

// judged returns the metrics that have verdicts. Heapwright's own come first, in their order,
// and then the metrics that the target reported, by name.
func judged(found map[string]bool) (names []string) {
	for _, m := range sample.Metrics() {
		if found[m.Name] && m.Judged {
			names = append(names, m.Name)
		}
		delete(found, m.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if sample.Lookup(name).Judged {
			names = append(names, name)
		}
	}
	return names
}

// pairs has the figures of two modes from the blocks that have both.
type pairs struct {
	baseline, candidate []float64
	d                   []float64 // ln(candidate/baseline)
	dropped             int       // blocks that gave no pair
}

// pair returns the pairs of one metric of one benchmark. A figure that is negative or not
// finite has no ratio, so its block is dropped, like a block in which a run failed.
func (t *table) pair(key sample.Key, baseline, candidate, metric string) pairs {
	var p pairs
	other := t.runs[cell{key, candidate}]
	base := t.runs[cell{key, baseline}]
	for _, block := range slices.Sorted(maps.Keys(base)) {
		b, okB := base[block].Values[metric]
		c, okC := other[block].Values[metric]
		if !okB || !okC || !ratioScale(b) || !ratioScale(c) {
			continue
		}
		p.baseline = append(p.baseline, b)
		p.candidate = append(p.candidate, c)
		p.d = append(p.d, logRatio(c, b))
	}
	p.dropped = t.blocks - len(p.d)
	return p
}

// reports reports whether any of a mode's runs of a benchmark has the metric.
func (t *table) reports(key sample.Key, mode, metric string) bool {
	for _, r := range t.runs[cell{key, mode}] {
		if _, ok := r.Values[metric]; ok {
			return true
		}
	}
	return false
}

func ratioScale(v float64) bool { return v >= 0 && !math.IsInf(v, 0) }

// beyondAll stands for the log-ratio of a change from or to zero. It is larger than any
// log-ratio of figures that a target could report (e^700 is 10³⁰⁴) and, unlike an
// infinity, can be averaged with its opposite.
const beyondAll = 700

// logRatio returns ln(c/b), and 0 if both are zero.
func logRatio(c, b float64) float64 {
	switch {
	case c == b:
		return 0
	case b == 0:
		return beyondAll
	case c == 0:
		return -beyondAll
	}
	return max(-beyondAll, min(math.Log(c/b), beyondAll))
}

// ratio is the inverse of logRatio. It returns +Inf for a change from zero, and 0 for a change
// to zero. A median may be half of such a change, between a pair that changed from zero and one
// that did not. That counts as a change from or to zero, too.
func ratio(logRatio float64) float64 {
	switch {
	case logRatio > beyondAll/3:
		return math.Inf(1)
	case logRatio < -beyondAll/3:
		return 0
	}
	return math.Exp(logRatio)
}
