package mcp

import (
	"slices"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// effect is the change of a metric of a benchmark by a patch.
type effect struct {
	Benchmark string  `json:"benchmark"`
	Metric    string  `json:"metric"`
	Before    float64 `json:"before"`
	After     float64 `json:"after"`
	Unit      string  `json:"unit"`
	Ratio     float64 `json:"ratio" jsonschema:"after/before: 0.8 is 20% less"`
	// Interval is nil if there are too few runs for one.
	Interval *interval `json:"interval,omitempty" jsonschema:"of the ratio; missing if there are too few runs"`
	Verdict  string    `json:"verdict" jsonschema:"better, worse, same or inconclusive"`

	// name is the metric's name in package sample, by which figures are formatted.
	name string
}

// shown are the metrics that a patch is judged by, and the memory that it takes.
var shown = []string{sample.Primary, "B/op", "allocs/op", sample.PeakRSS}

// maxRows bounds a table. The report has all rows.
const maxRows = 40

// effects returns the effects of a mode: those on CPU, bytes, allocations and memory, and
// all that are worse.
func effects(doc *result.Document, mode string) (all []effect) {
	for _, e := range doc.Effects {
		metric := sample.Lookup(e.Metric)
		worse := e.Verdict == verdict.Worse && metric.Judged
		if e.Mode != mode || !slices.Contains(shown, e.Metric) && !worse || len(all) == maxRows {
			continue
		}
		row := effect{
			Benchmark: e.Key.String(), Metric: metric.Title, Before: e.Baseline, After: e.Candidate,
			Unit: format.Unit(e.Metric), Ratio: e.Ratio, Verdict: string(e.Verdict), name: e.Metric,
		}
		if e.High < result.Infinite {
			row.Interval = &interval{e.Low, e.High}
		}
		all = append(all, row)
	}
	return all
}

func rowsOf(all []effect) table {
	rows := table{{"benchmark", "metric", "before", "after", "change", "interval", "verdict"}}
	for _, e := range all {
		change, within := format.Change(e.Ratio), "not known"
		if i := e.Interval; i != nil {
			change, within = format.ChangeWithin(e.Ratio, i.Low, i.High), format.Interval(i.Low, i.High)
		}
		rows = append(rows, []string{
			e.Benchmark, e.Metric, format.Metric(e.name, e.Before), format.Metric(e.name, e.After),
			change, within, e.Verdict,
		})
	}
	return rows
}
