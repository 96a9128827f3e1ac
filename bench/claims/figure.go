package main

import (
	"strings"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// figure is a ratio that was published, and where its like is measured here.
type figure struct {
	what      string   // "CPU of a tree"
	low, high float64  // published ratio after/before; equal for one number, 0 where nothing was published
	from      []string // experiments, one for each release asked
	benchmark string   // the name without the package; "" is the only one
	mode      string   // candidate, without the release that the experiment's baseline has
	metric    string
	// inverse: the experiment has the published "after" as its baseline.
	inverse bool
	// of makes it a share: the baseline's value of the benchmark over the
	// value of this one. low and high are then the published share.
	of string
}

// measurement is a ratio and its interval; low and high are 0 where one run each
// gave it. Before and after are medians of the runs, 0 of a share: the ratio is
// estimated from pairs, and not their quotient.
type measurement struct {
	ratio, low, high float64
	before, after    float64
	verdict          verdict.Verdict
}

// read finds the figure in a report; false if it is not there.
func (f figure) read(doc *result.Document) (measurement, bool) {
	if f.of != "" {
		part, ok := baseline(doc, f.benchmark, f.metric)
		whole, also := baseline(doc, f.of, f.metric)
		return measurement{ratio: part / whole}, ok && also && whole > 0
	}
	mode := f.modeIn(doc)
	for _, e := range doc.Effects {
		if e.Mode == mode && e.Metric == f.metric && f.is(e.Key) && e.Ratio > 0 {
			m := measurement{ratio: e.Ratio, low: e.Low, high: e.High,
				before: e.Baseline, after: e.Candidate, verdict: e.Verdict}
			if f.inverse {
				m = measurement{ratio: 1 / e.Ratio, low: 1 / e.High, high: 1 / e.Low,
					before: e.Candidate, after: e.Baseline, verdict: e.Verdict}
			}
			return m, true
		}
	}
	before, ok := untimed(doc, f, doc.Baseline)
	after, also := untimed(doc, f, mode)
	if !ok || !also || before <= 0 || after <= 0 {
		return measurement{}, false
	}
	if f.inverse {
		before, after = after, before
	}
	return measurement{ratio: after / before, before: before, after: after}, true
}

func (f figure) is(k sample.Key) bool { return f.benchmark == "" || f.benchmark == k.Benchmark }

// modeIn is the candidate's name in a report: the release of the baseline, then the
// figure's own settings.
func (f figure) modeIn(doc *result.Document) string {
	release, _, _ := strings.Cut(doc.Baseline, "+")
	switch {
	case !strings.HasPrefix(release, "go1."):
		return f.mode
	case f.mode == "":
		return release
	}
	return release + "+" + f.mode
}

// untimed reads the run with the collector's figures.
func untimed(doc *result.Document, f figure, mode string) (float64, bool) {
	for _, r := range doc.Untimed {
		if r.Mode == mode && f.is(r.Key) {
			v, ok := r.Values[f.metric]
			return v, ok
		}
	}
	return 0, false
}

func baseline(doc *result.Document, benchmark, metric string) (float64, bool) {
	for _, e := range doc.Effects {
		if e.Benchmark == benchmark && e.Metric == metric {
			return e.Baseline, true
		}
	}
	return 0, false
}
