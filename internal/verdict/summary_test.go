package verdict

import (
	"fmt"
	"math"
	"testing"

	"github.com/heapwright/heapwright/internal/sample"
)

// absent marks a benchmark that the candidate gave nothing for.
const absent = -1

// open marks a metric that noise hides.
const open = 0

// bench gives the candidate's factors of one benchmark: CPU first, then peak
// RSS, then wall time.
type bench []float64

func experiment(t *testing.T, benches ...bench) Summary {
	t.Helper()
	var runs []sample.Run
	for i, factors := range benches {
		metrics := make(map[string]figures)
		for m, factor := range factors {
			name := []string{sample.Primary, "peak-RSS-bytes", "sec/op"}[m]
			metrics[name] = times(1, factor)
			if factor == open {
				metrics[name] = noisy(times(1, 1.012), 0.05, uint64(5+i))
			}
		}
		for _, r := range measured(12, []string{"new"}, metrics) {
			r.Key = sample.Key{Package: "example.com/tree", Benchmark: fmt.Sprintf("B%d", i+1)}
			if r.Mode == "new" && factors[0] == absent {
				continue
			}
			runs = append(runs, r)
		}
	}
	return judge(t, runs, Options{}).Summaries[0]
}

func TestSummaries(t *testing.T) {
	for _, c := range []struct {
		benches []bench
		want    Decision
		reason  string
	}{
		{[]bench{{0.69}}, Adopt, "CPU -31.0%"},
		{[]bench{{0.69, 1.84}}, Adopt, "CPU -31.0%; the price: peak RSS +84.0%"},
		{[]bench{{0.69, 1.84, 0.5}}, Adopt, "CPU -31.0%; also wall -50.0%; the price: peak RSS +84.0%"},
		{[]bench{{0.69, 12}, {0.69, 12}}, Adopt, "CPU -31.0%, better in both benchmarks; the price: peak RSS ×12"},
		{[]bench{{0.6, 1.5}, {1, 1}, {open, 1}}, Adopt, "CPU -15.3% over 3 benchmarks (better in 1, the same in 1, undecided in 1); the price: peak RSS +50.0% in 1 of 3"},
		{[]bench{{1.12}}, Reject, "CPU +12.0%"},
		{[]bench{{1.12, 0.5}, {1, 1}}, Reject, "CPU +5.8% over 2 benchmarks (worse in 1, the same in 1); but peak RSS -50.0% in 1 of 2"},
		{[]bench{{0.8}, {0.7}, {1.08}}, Reject, "no winner overall: CPU -25.2% in 2 benchmarks, but +8.0% in tree.B3; choose for each benchmark"},
		{[]bench{{0.7}, {0.7}, {0.7}}, Adopt, "CPU -30.0%, better in all 3 benchmarks"},
		{[]bench{{1}}, Neutral, "CPU the same, within ±1.0%"},
		{[]bench{{1, 0.6}, {1, 0.6}}, Neutral, "CPU the same in both benchmarks, within ±1.0%; but peak RSS -40.0%"},
		{[]bench{{1, 1.4}}, Neutral, "CPU the same, within ±1.0%; and peak RSS +40.0%"},
		{[]bench{{open}}, Undecided, "CPU +2.0% so far, not decided: about 550 more blocks would decide"},
		{[]bench{{open, 1.4, 0.5}}, Undecided, "CPU +2.0% so far, not decided: about 550 more blocks would decide; proven: wall -50.0%, peak RSS +40.0%"},
		{[]bench{{open}, {1}, {open}}, Undecided, "CPU +1.1% so far, not decided in 2 of 3 benchmarks: about 4700 more blocks would decide"},
		{[]bench{{0.5}, {absent}}, Undecided, "no figures of CPU in tree.B2; CPU -50.0%"},
		{[]bench{{0.5}, {absent}, {absent}}, Undecided, "no figures of CPU in tree.B2 and 1 more; CPU -50.0%"},
		{[]bench{{1}, {absent}}, Undecided, "no figures of CPU in tree.B2; CPU 0%"},
		{[]bench{{1.5}, {absent}}, Reject, "no figures of CPU in tree.B2; CPU +50.0%"},
	} {
		got := experiment(t, c.benches...)
		if got.Decision != c.want || got.Reason != c.reason {
			t.Errorf("%v:\n got %s: %s\nwant %s: %s", c.benches, got.Decision, got.Reason, c.want, c.reason)
		}
	}
}

func TestSummaryWithoutThePrimaryMetric(t *testing.T) {
	j := judge(t, measured(12, []string{"new"}, map[string]figures{"B/op": times(100, 0.5)}), Options{})
	if s := j.Summaries[0]; s.Decision != Undecided || s.Reason != "CPU was not measured; but bytes/op -50.0%" {
		t.Errorf("%s: %s", s.Decision, s.Reason)
	}
}

func TestGeomean(t *testing.T) {
	s := experiment(t, bench{0.5, 2}, bench{2, 2}, bench{1, 16})
	if cpu, rss := s.Geomean[sample.Primary], s.Geomean["peak-RSS-bytes"]; math.Abs(cpu-1) > 1e-12 || math.Abs(rss-4) > 1e-12 {
		t.Errorf("CPU %v, RSS %v: want 1 and 4", cpu, rss)
	}
	// To zero has no logarithm: it is left out, not taken for an infinite gain.
	j := judge(t, measured(12, []string{"new"}, map[string]figures{"allocs/op": func(mode string, _ int) float64 {
		if mode == "new" {
			return 0
		}
		return 4
	}}), Options{})
	if g, ok := j.Summaries[0].Geomean["allocs/op"]; ok {
		t.Errorf("geometric mean %v of a change to zero", g)
	}
}
