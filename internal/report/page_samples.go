package report

import (
	"fmt"
	"html/template"
	"maps"
	"slices"

	"github.com/heapwright/heapwright/internal/format"
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
	Width     int // a multiple's width in its own coordinates
	Rows      []sampleRow
}

type sampleRow struct {
	Metric    string
	Low, High string // the ends of the multiples' height
	Baseline  template.HTMLAttr
	ID        string // the identifier of the baseline's line
	Median    string // the baseline's
	Multiples []multiple
}

type multiple struct {
	Mode   string
	Shape  string
	Line   template.HTMLAttr
	Median string
}

func (g *grid) sampleSets(section *section) []sampleSet {
	var sets []sampleSet
	rank := make(map[int]int, len(g.blocks))
	for i, block := range g.blocks {
		rank[block] = i
	}
	for i, key := range g.benchmarks {
		set := sampleSet{Benchmark: termtext.Harmless(key.String()), Open: i == 0,
			Width: plot.Step * max(1, len(g.blocks))}
		for j, metric := range g.measured {
			if row, ok := g.sampleRow(key, metric, rank, section); ok {
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

func (g *grid) sampleRow(key sample.Key, metric string, rank map[int]int, section *section) (sampleRow, bool) {
	modes := g.timed[key]
	if !slices.Contains(modes, g.Baseline) {
		modes = slices.Insert(slices.Clone(modes), 0, g.Baseline)
	}
	all := make([][]plot.Sample, len(modes))
	for i, mode := range modes {
		all[i] = g.column(cell{key, mode, metric}, rank)
	}
	span := plot.RangeOf(all...)
	row := sampleRow{
		Metric: termtext.Harmless(title(metric)),
		Low:    format.Metric(metric, span.Low), High: format.Metric(metric, span.High),
		Baseline: span.Line(all[0]), Median: medianText(metric, all[0]),
	}
	found := row.Median != ""
	for i, mode := range modes[1:] {
		samples := all[i+1]
		text := medianText(metric, samples)
		if text == "" || section.full() {
			continue
		}
		found = true
		m := multiple{Mode: termtext.Harmless(mode), Shape: string(verdict.Same),
			Line: span.Line(samples), Median: text}
		if e, ok := g.effects[cell{key, mode, metric}]; ok {
			m.Shape = verdictShape(e.Verdict)
		} else if mode == g.Baseline+sample.ControlSuffix {
			m.Mode, m.Shape = controlName, "control"
		}
		row.Multiples = append(row.Multiples, m)
	}
	return row, found
}

// column returns a cell's samples in the order of the blocks.
func (g *grid) column(c cell, rank map[int]int) []plot.Sample {
	var samples []plot.Sample
	for _, block := range slices.Sorted(maps.Keys(g.samples[c])) {
		samples = append(samples, plot.Sample{Block: rank[block], Value: g.samples[c][block]})
	}
	return samples
}

// medianText is "" if there is no sample.
func medianText(metric string, samples []plot.Sample) string {
	if samples == nil {
		return ""
	}
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = s.Value
	}
	return format.Metric(metric, stats.Median(values))
}
