package report

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// cell names the subject of one figure.
type cell struct {
	sample.Key
	Mode, Metric string
}

// grid is a document as views look things up in it. Everything in it is in the
// order in which it is shown.
type grid struct {
	*result.Document
	benchmarks []sample.Key
	candidates []string // the modes but the baseline
	series     []string // names of all that has runs: baseline, candidates, control
	judged     []string // metrics that have effects, the primary first
	measured   []string // metrics of the timed runs, the primary first
	blocks     []int    // blocks that have a timed run

	effects   map[cell]verdict.Effect
	samples   map[cell]map[int]float64 // block → the value of its timed run
	probed    map[cell][]float64       // values of untimed runs
	summaries map[string]verdict.Summary
	reasons   map[string]string // mode → the reason of its first failed run

	// The pairs of a benchmark and a mode that have figures. Views walk these: a file
	// of some MB can name thousands of modes and of benchmarks, but not measure
	// every pair.
	compared map[sample.Key][]string // candidates with effects
	affected map[string][]sample.Key // the same pairs by candidate
	timed    map[sample.Key][]string // series with timed runs
	untimed  map[sample.Key][]string // series with untimed runs
}

// maxMetrics is the number of metrics in each table. A target that reports a unit
// for each operation must not make tables that nobody can read.
const maxMetrics = 64

// newGrid takes the document as it is, not as it should be: a mode or benchmark that
// only a run names is shown too.
func newGrid(doc *result.Document) *grid {
	doc = result.Finite(doc) // so that a view of the file equals one of the original
	g := &grid{
		Document:  doc,
		effects:   make(map[cell]verdict.Effect),
		samples:   make(map[cell]map[int]float64),
		probed:    make(map[cell][]float64),
		summaries: make(map[string]verdict.Summary),
		reasons:   make(map[string]string),
	}
	doc.Warnings = slices.Clip(doc.Warnings) // others may hold the same array
	for _, u := range doc.Unmatched {
		doc.Warnings = append(doc.Warnings, u.Key.String()+" is in "+u.Mode+" alone, so it is not compared")
	}
	var keys set[sample.Key]
	var modes set[string]
	var compared, timed, untimed set[pair]
	judged, measured, blocks := make(map[string]bool), make(map[string]bool), make(map[int]bool)

	// The order of the plan comes first. Effects and runs may name more modes and benchmarks:
	// the file may be damaged, or from another version.
	modes.add(doc.Baseline)
	for _, m := range doc.Modes {
		modes.add(m.Name)
	}
	for _, b := range doc.Benchmarks {
		keys.add(b.Key)
	}
	for _, e := range doc.Effects {
		keys.add(e.Key)
		modes.add(e.Mode)
		judged[e.Metric] = true
		compared.add(pair{e.Key, e.Mode})
		g.effects[cell{e.Key, e.Mode, e.Metric}] = e
	}
	for _, r := range doc.Runs {
		keys.add(r.Key)
		modes.add(r.Mode)
		blocks[r.Block] = true
		timed.add(pair{r.Key, r.Mode})
		for metric, v := range r.Values {
			measured[metric] = true
			c := cell{r.Key, r.Mode, metric}
			if g.samples[c] == nil {
				g.samples[c] = make(map[int]float64)
			}
			g.samples[c][r.Block] = v
		}
	}
	for _, r := range doc.Untimed {
		keys.add(r.Key)
		modes.add(r.Mode)
		untimed.add(pair{r.Key, r.Mode})
		for metric, v := range r.Values {
			c := cell{r.Key, r.Mode, metric}
			g.probed[c] = append(g.probed[c], v)
		}
	}
	// A tuning weighs several experiments. Its decisions take the place of the summaries' own.
	for _, s := range doc.Summaries {
		modes.add(s.Mode)
		if doc.Tuning != nil {
			if d, ok := doc.Tuning.Modes[s.Mode]; ok {
				s.Decision, s.Reason = d.Decision, d.Reason
			}
		}
		g.summaries[s.Mode] = s
	}
	for _, f := range doc.Failures {
		if g.reasons[f.Mode] == "" {
			g.reasons[f.Mode] = f.Reason
		}
	}

	// All names are known, so everything can be put into the order in which it is shown.
	g.benchmarks = keys.list
	g.order(modes.list)
	g.judged, g.measured = g.shown(judged, "judged"), g.shown(measured, "measured")
	g.blocks = slices.Sorted(maps.Keys(blocks))
	g.compared = byBenchmark(compared.list, g.candidates)
	g.timed, g.untimed = byBenchmark(timed.list, g.series), byBenchmark(untimed.list, g.series)
	g.affected = make(map[string][]sample.Key)
	for _, key := range g.benchmarks {
		for _, mode := range g.compared[key] {
			g.affected[mode] = append(g.affected[mode], key)
		}
	}
	return g
}

// shown returns the first metrics in order, and warns if there are more.
func (g *grid) shown(metrics map[string]bool, what string) []string {
	all := inOrder(maps.Keys(metrics))
	if len(all) > maxMetrics {
		g.Warnings = append(g.Warnings, fmt.Sprintf("the first %d of %d %s metrics are shown; report.json has all",
			maxMetrics, len(all), what))
		all = all[:maxMetrics]
	}
	return all
}

// pair is a benchmark in a mode.
type pair struct {
	sample.Key
	mode string
}

// byBenchmark returns the modes of each benchmark, in their order. Pairs with
// another mode are ignored.
func byBenchmark(pairs []pair, modes []string) map[sample.Key][]string {
	rank := make(map[string]int, len(modes))
	for i, mode := range modes {
		rank[mode] = i
	}
	of := make(map[sample.Key][]string)
	for _, p := range pairs {
		if _, ok := rank[p.mode]; ok {
			of[p.Key] = append(of[p.Key], p.mode)
		}
	}
	for _, list := range of {
		slices.SortFunc(list, func(a, b string) int { return cmp.Compare(rank[a], rank[b]) })
	}
	return of
}

// order sets the series and the candidates. Controls are part of the method, not
// candidates: they come last.
func (g *grid) order(modes []string) {
	var controls []string
	for _, mode := range modes {
		if strings.HasSuffix(mode, sample.ControlSuffix) && mode != g.Baseline {
			controls = append(controls, mode)
		} else {
			g.series = append(g.series, mode)
		}
	}
	g.candidates = g.series[1:]
	g.series = slices.Concat(g.series, controls)
}

// set is a list in which each entry stands once, where it came first.
type set[T comparable] struct {
	list []T
	seen map[T]bool
}

func (s *set[T]) add(v T) {
	if s.seen == nil {
		s.seen = make(map[T]bool)
	}
	if !s.seen[v] {
		s.seen[v] = true
		s.list = append(s.list, v)
	}
}

// inOrder sorts metrics as sample.Metrics does; units of the target's own
// follow by name.
func inOrder(names iter.Seq[string]) []string {
	rank := make(map[string]int)
	for i, m := range sample.Metrics() {
		rank[m.Name] = i - len(sample.Metrics())
	}
	return slices.SortedFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(a, b))
	})
}

// noise returns the largest noise floor of a metric's effects, as a relative
// change; ok is false if it has none.
func (g *grid) noise(metric string) (delta float64, ok bool) {
	for c, e := range g.effects {
		if c.Metric == metric {
			delta, ok = max(delta, e.Delta), true
		}
	}
	return delta, ok
}
