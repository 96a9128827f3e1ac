package report

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/report/plot"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/verdict"
)

// forest is a forest plot that is also a table: the effects of one metric.
type forest struct {
	ID     string
	Title  string
	Unit   string
	Open   bool   // shown at once; the others unfold
	Counts string // "12 better, 3 worse, 40 same"
	Better string // "less is better", or the opposite
	Scale  figure
	Groups []effectGroup
}

// controlName is the page's name for the second copy of the baseline.
const controlName = "A/A control"

type effectGroup struct {
	Benchmark string
	Rows      []effectRow
}

type effectRow struct {
	Mode     string
	Plot     figure
	Change   string
	Interval string
	Shape    string // also the CSS class
	Verdict  string
	ToDecide string
	From, To string
	P        string
	Blocks   int
	Warnings string
}

func (g *grid) forests(section *section) []forest {
	var all []forest
	for i, metric := range g.judged {
		m := sample.Lookup(metric)
		f := forest{ID: fmt.Sprintf("effects-%d", i), Title: termtext.Harmless(m.Title),
			Unit: termtext.Harmless(format.Unit(metric)), Open: i == 0, Better: "less is better"}
		switch m.Better {
		case sample.Higher:
			f.Better = "more is better"
		case sample.Neutral:
			f.Better = "neither way is better"
		}
		controls := g.controlOf(metric)
		axis := g.axis(metric, controls)
		f.Scale = axis.Scale()
		counts := make(map[verdict.Verdict]int)
		for _, key := range g.benchmarks {
			group := effectGroup{Benchmark: termtext.Harmless(key.String())}
			for _, mode := range g.compared[key] {
				if e, ok := g.effects[cell{key, mode, metric}]; ok {
					// The counts cover all rows, also those that the page leaves out.
					counts[e.Verdict]++
					if section.full() {
						continue
					}
					group.Rows = append(group.Rows, newEffectRow(termtext.Harmless(mode), e, axis))
				}
			}
			if group.Rows == nil {
				continue
			}
			// The control shows how much chance alone moves this benchmark.
			if e, ok := controls[key]; ok {
				r := newEffectRow(controlName, e, axis)
				r.Shape, r.Verdict, r.ToDecide = "control", "", "" // it is the yardstick, not a question
				r.Plot = axis.Row(plot.Interval{Ratio: e.Ratio, Low: e.Low, High: e.High,
					Noise: e.Delta, Shape: "control"})
				group.Rows = append(group.Rows, r)
			}
			f.Groups = append(f.Groups, group)
		}
		f.Counts = countVerdicts(counts)
		if f.Groups != nil {
			all = append(all, f)
		}
	}
	return all
}

func (g *grid) controlOf(metric string) map[sample.Key]verdict.Effect {
	all := make(map[sample.Key]verdict.Effect)
	for _, e := range g.Control {
		if e.Metric == metric {
			all[e.Key] = e
		}
	}
	return all
}

// axis holds everything that is known of a metric's effects.
func (g *grid) axis(metric string, controls map[sample.Key]verdict.Effect) plot.Axis {
	var ratios []float64
	add := func(e verdict.Effect) {
		ratios = append(ratios, e.Ratio, e.Low, e.High, 1-e.Delta, 1+e.Delta)
	}
	for c, e := range g.effects {
		if c.Metric == metric {
			add(e)
		}
	}
	for _, e := range controls {
		add(e)
	}
	return plot.NewAxis(ratios)
}

func newEffectRow(mode string, e verdict.Effect, axis plot.Axis) effectRow {
	shape := verdictShape(e.Verdict)
	warnings := make([]string, len(e.Warnings))
	for i, w := range e.Warnings {
		warnings[i] = termtext.Harmless(w)
	}
	return effectRow{
		Mode:     mode,
		Plot:     axis.Row(plot.Interval{Ratio: e.Ratio, Low: e.Low, High: e.High, Noise: e.Delta, Shape: shape}),
		Change:   format.ChangeWithin(e.Ratio, e.Low, e.High),
		Interval: format.Interval(e.Low, e.High),
		Shape:    shape,
		Verdict:  termtext.Harmless(string(e.Verdict)),
		ToDecide: toDecide(e),
		From:     format.Metric(e.Metric, e.Baseline), To: format.Metric(e.Metric, e.Candidate),
		P: format.PValue(e.P), Blocks: e.Blocks,
		Warnings: strings.Join(warnings, "; "),
	}
}

func countVerdicts(counts map[verdict.Verdict]int) string {
	var parts []string
	for _, v := range []verdict.Verdict{verdict.Better, verdict.Worse, verdict.Same, verdict.Inconclusive} {
		if n := counts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return strings.Join(parts, ", ")
}
