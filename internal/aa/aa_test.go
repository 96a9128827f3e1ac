package aa

import (
	"math"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

func TestSummaryCountsClaims(t *testing.T) {
	s := NewSummary([]experiment.Placement{experiment.Same, experiment.Fresh})
	start := time.Now()
	s.Add(experiment.Fresh, 0, &result.Document{
		Started: start, Finished: start.Add(time.Minute), Blocks: 12,
		Summaries: []verdict.Summary{{Mode: "again", Decision: verdict.Reject}},
		Effects: []verdict.Effect{
			{Metric: sample.Primary, Ratio: 1.1, Low: 1.05, High: 1.15, Delta: 0.02, Verdict: verdict.Worse},
			{Metric: sample.Primary, Ratio: 1, Low: 0.99, High: 1.01, Delta: 0.02, Verdict: verdict.Same},
			{Metric: "B/op", Ratio: 1, Low: math.Inf(-1), High: math.Inf(1), Verdict: verdict.Inconclusive},
		},
	})
	row := s.Rows[1]
	if row.Tests != 2 || row.FalseClaims != 1 || row.AllTests != 3 || row.AllClaims != 1 || row.Winners != 1 {
		t.Errorf("%+v", *row)
	}
	if len(s.Claims) != 1 || s.Claims[0].Placement != "fresh copies" {
		t.Errorf("claims %+v", s.Claims)
	}
}

// By hand from the formula: for k = 0 the upper bound is z²/(n+z²).
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{0, 10, 0, 0.277533},
		{5, 100, 0.021544, 0.111752},
		{0, 0, 0, 1},
	} {
		low, high := wilson(c.k, c.n)
		if math.Abs(low-c.low) > 1e-4 || math.Abs(high-c.high) > 1e-4 {
			t.Errorf("%d of %d: [%.6f, %.6f], want [%.6f, %.6f]", c.k, c.n, low, high, c.low, c.high)
		}
	}
}
