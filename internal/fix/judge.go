package fix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

type finding = rules.Finding

// wanted are the metrics of which one has to be better.
var wanted = []string{cpu, "B/op", "allocs/op"}

// judge takes the verdict of a comparison on the change. The change has to be better on one of
// the wanted metrics, in at least one benchmark, and worse on no metric that verdicts judge, in
// no benchmark. Both are verdicts: the whole interval of the effect is beyond the noise. A
// larger value within the noise is not worse, and neither is one that the comparison could not
// decide. Metrics that are only shown, such as the number of GC cycles, do not count.
func (c *Change) judge(doc *result.Document) {
	for _, m := range doc.Modes {
		if m.Name == c.Mode && m.Failed != "" {
			c.Why = "it could not be built: " + m.Failed
			return
		}
	}
	if f := failure(doc, c.Mode); f != nil {
		c.Why = fmt.Sprintf("%s fails with it: %s", f.Key, f.Reason)
		return
	}
	c.Gain = gainOf(doc, c.Mode)
	switch {
	case len(c.Gain.Worse) > 0:
		c.Why = "worse: " + list(c.Gain.Worse)
	case len(c.Gain.Better) == 0:
		c.Why = "not proven better"
		if mean, ok := c.Gain.Geomean[cpu]; ok {
			c.Why += ": CPU " + format.Change(mean)
		}
	default:
		c.Outcome, c.Why = Unproven, ""
	}
}

// failure returns a run of a benchmark that fails in a mode and never without it, nil if
// there is none.
func failure(doc *result.Document, mode string) *result.Failure {
	for i, f := range doc.Failures {
		before := slices.ContainsFunc(doc.Failures, func(o result.Failure) bool { return o.Mode == doc.Baseline && o.Key == f.Key })
		if f.Mode == mode && !before {
			return &doc.Failures[i]
		}
	}
	return nil
}

func gainOf(doc *result.Document, mode string) *Gain {
	doc = result.Finite(doc)
	g := &Gain{Geomean: map[string]float64{}, Blocks: doc.Blocks}
	for _, s := range doc.Summaries {
		if s.Mode == mode {
			g.Geomean = s.Geomean
		}
	}
	for _, e := range doc.Effects {
		if e.Mode != mode {
			continue
		}
		is := Effect{Benchmark: e.Key.String(), Metric: e.Metric, Ratio: e.Ratio, Low: e.Low, High: e.High}
		switch {
		case e.Verdict == verdict.Worse && sample.Lookup(e.Metric).Judged:
			g.Worse = append(g.Worse, is)
		case e.Verdict == verdict.Better && slices.Contains(wanted, e.Metric):
			g.Better = append(g.Better, is)
		}
	}
	return g
}

// Words says the gain in a few words, with its intervals where there is one benchmark.
func (g *Gain) Words() string {
	var parts []string
	for _, metric := range wanted {
		var of []Effect
		for _, e := range g.Better {
			if e.Metric == metric {
				of = append(of, e)
			}
		}
		title := sample.Lookup(metric).Title
		switch len(of) {
		case 0:
		case 1:
			e := of[0]
			parts = append(parts, fmt.Sprintf("%s %s%s in %s", title, format.Change(e.Ratio), interval(e), e.Benchmark))
		default:
			mean := format.Change(g.Geomean[metric])
			parts = append(parts, fmt.Sprintf("%s %s on average, in %d benchmarks", title, mean, len(of)))
		}
	}
	return strings.Join(parts, "; ")
}

// certain is the relative width of an interval that is not worth showing: the bytes of a
// change hardly vary.
const certain = 0.005

func interval(e Effect) string {
	if e.High-e.Low < certain*e.Ratio {
		return ""
	}
	return " " + format.Interval(e.Low, e.High)
}

func list(all []Effect) string {
	var parts []string
	for _, e := range all {
		title := sample.Lookup(e.Metric).Title
		parts = append(parts, fmt.Sprintf("%s %s in %s", title, format.Change(e.Ratio), e.Benchmark))
	}
	return strings.Join(parts, ", ")
}
