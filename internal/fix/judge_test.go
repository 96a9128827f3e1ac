package fix

import (
	"math"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// effectOf returns the effect of a change on a metric of a benchmark.
func effectOf(benchmark, metric string, v verdict.Verdict, ratio float64) verdict.Effect {
	return verdict.Effect{
		Key: sample.Key{Benchmark: benchmark}, Mode: "changed", Metric: metric, Verdict: v,
		Ratio: ratio, Low: ratio * 0.99, High: ratio * 1.01,
	}
}

// A change needs one verdict of better on CPU, bytes or allocations, and none of worse in any
// benchmark and metric that is judged.
func TestJudge(t *testing.T) {
	better := effectOf("A", "allocs/op", verdict.Better, 0.5)
	for name, c := range map[string]struct {
		effects []verdict.Effect
		want    Outcome
		why     string
	}{
		"CPU better":         {[]verdict.Effect{effectOf("A", cpu, verdict.Better, 0.9)}, Unproven, ""},
		"bytes better":       {[]verdict.Effect{effectOf("A", "B/op", verdict.Better, 0.9)}, Unproven, ""},
		"allocations better": {[]verdict.Effect{better}, Unproven, ""},
		"only wall better": {[]verdict.Effect{effectOf("A", "sec/op", verdict.Better, 0.9)},
			Rejected, "not proven better"},
		"nothing decided": {[]verdict.Effect{effectOf("A", cpu, verdict.Inconclusive, 0.8)},
			Rejected, "not proven better: CPU -20.0%"},
		"CPU worse": {[]verdict.Effect{better, effectOf("A", cpu, verdict.Worse, 1.1)},
			Rejected, "worse: CPU +10.0% in A"},
		"bytes worse": {[]verdict.Effect{better, effectOf("A", "B/op", verdict.Worse, 1.1)},
			Rejected, "worse: bytes/op +10.0% in A"},
		"allocations worse": {[]verdict.Effect{effectOf("A", cpu, verdict.Better, 0.5), effectOf("A", "allocs/op", verdict.Worse, 2)},
			Rejected, "worse: allocs/op"},
		"allocations from none": {[]verdict.Effect{effectOf("A", cpu, verdict.Better, 0.5), effectOf("A", "allocs/op", verdict.Worse, math.Inf(1))},
			Rejected, "worse: allocs/op"},
		"another benchmark worse": {[]verdict.Effect{better, effectOf("B", "allocs/op", verdict.Worse, 1.1)},
			Rejected, "worse: allocs/op +10.0% in B"},
		"memory worse": {[]verdict.Effect{better, effectOf("A", sample.PeakRSS, verdict.Worse, 1.5)},
			Rejected, "worse: peak RSS"},
		"latency worse": {[]verdict.Effect{better, effectOf("A", "p99-latency-sec", verdict.Worse, 1.5)},
			Rejected, "worse: p99 latency"},
		"a metric only shown":      {[]verdict.Effect{better, effectOf("A", "gc-cycles/op", verdict.Worse, 1.5)}, Unproven, ""},
		"larger within the noise":  {[]verdict.Effect{better, effectOf("A", cpu, verdict.Same, 1.004)}, Unproven, ""},
		"larger, but not decided":  {[]verdict.Effect{better, effectOf("A", cpu, verdict.Inconclusive, 1.03)}, Unproven, ""},
		"another change is better": {[]verdict.Effect{{Key: better.Key, Mode: "other", Metric: cpu, Verdict: verdict.Better, Ratio: 0.5}}, Rejected, "not proven better"},
		"never measured":           {nil, Rejected, "not proven better"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := &result.Document{Effects: c.effects}
			for _, e := range c.effects {
				if e.Mode == "changed" && e.Metric == cpu {
					doc.Summaries = []verdict.Summary{{Mode: "changed", Geomean: map[string]float64{cpu: e.Ratio}}}
				}
			}
			got := Change{Mode: "changed", Outcome: Rejected}
			got.judge(doc)
			if got.Outcome != c.want || !strings.Contains(got.Why, c.why) || c.why == "" && got.Why != "" {
				t.Errorf("%s: %q, want %s: %q", got.Outcome, got.Why, c.want, c.why)
			}
			if strings.Contains(got.Why, "-100") {
				t.Errorf("%q states a gain that nobody measured", got.Why)
			}
		})
	}
}
