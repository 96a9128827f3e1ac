package report

import (
	"fmt"
	"html/template"
	"math"

	"github.com/heapwright/heapwright/internal/report/plot"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/stats"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/verdict"
)

// sampleSet is every sample of one benchmark: a row of small multiples for
// each metric, one for each mode, with the baseline's line behind each.
type sampleSet struct {
	Benchmark string
	Open      bool
	Width     int // of a multiple's own coordinates
	Rows      []sampleRow
}

type sampleRow struct {
	Metric    string
	Low, High string // the ends of the multiples' height
	Baseline  template.HTMLAttr
	ID        string // of the baseline's line
	Median    string // of the baseline
	Multiples []multiple
}

type multiple struct {
	Mode   string
	Shape  string
	Line   template.HTMLAttr
	Median string
}

func (g *grid) sampleSets() []sampleSet {
	var sets []sampleSet
	for i, key := range g.benchmarks {
		set := sampleSet{Benchmark: termtext.Harmless(key.String()), Open: i == 0, Width: plot.Step * max(1, len(g.blocks))}
		for j, metric := range g.measured {
			if row, ok := g.sampleRow(key, metric); ok {
				row.ID = fmt.Sprintf("b%d-%d", i, j)
				set.Rows = append(set.Rows, row)
			}
		}
		if set.Rows != nil {
			sets = append(sets, set)
		}
	}
	return sets
}

func (g *grid) sampleRow(key sample.Key, metric string) (sampleRow, bool) {
	all := make([][]float64, len(g.series))
	for i, mode := range g.series {
		all[i] = g.column(cell{key, mode, metric})
	}
	span := plot.RangeOf(all...)
	row := sampleRow{
		Metric: termtext.Harmless(title(metric)),
		Low:    Value(metric, span.Low), High: Value(metric, span.High),
		Baseline: span.Line(all[0]), Median: medianText(metric, all[0]),
	}
	found := row.Median != ""
	for i, mode := range g.series[1:] {
		values := all[i+1]
		text := medianText(metric, values)
		if text == "" {
			continue
		}
		found = true
		m := multiple{Mode: termtext.Harmless(mode), Shape: string(verdict.Same), Line: span.Line(values), Median: text}
		if e, ok := g.effects[cell{key, mode, metric}]; ok {
			m.Shape = verdictShape(e.Verdict)
		} else if mode == g.Baseline+sample.ControlSuffix {
			m.Mode, m.Shape = controlName, "control"
		}
		row.Multiples = append(row.Multiples, m)
	}
	return row, found
}

// column returns a cell's samples in the order of the blocks, NaN for a block
// without one.
func (g *grid) column(c cell) []float64 {
	values := make([]float64, len(g.blocks))
	for i, block := range g.blocks {
		v, ok := g.samples[c][block]
		if !ok {
			v = math.NaN()
		}
		values[i] = v
	}
	return values
}

// medianText is "" if there is no sample.
func medianText(metric string, values []float64) string {
	var there []float64
	for _, v := range values {
		if !math.IsNaN(v) {
			there = append(there, v)
		}
	}
	if there == nil {
		return ""
	}
	return Value(metric, stats.Median(there))
}
