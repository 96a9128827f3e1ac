package verdict

import (
	"math"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/sample"
)

// A tally counts a mode's effects on one metric.
type tally struct {
	sample.Metric
	all, better, worse, same, open []Effect
}

func newTally(mode, metric string, effects []Effect) tally {
	t := tally{Metric: sample.Lookup(metric)}
	for _, e := range effects {
		if e.Mode != mode || e.Metric != metric {
			continue
		}
		t.all = append(t.all, e)
		switch e.Verdict {
		case Better:
			t.better = append(t.better, e)
		case Worse:
			t.worse = append(t.worse, e)
		case Same:
			t.same = append(t.same, e)
		case Inconclusive:
			t.open = append(t.open, e)
		}
	}
	return t
}

// summarise gives the advice on a mode, by these rules:
//
//   - The primary metric decides: reject a mode that is worse anywhere, adopt one
//     that is better somewhere and worse nowhere; one that is the same everywhere
//     is neutral, and the rest is inconclusive. A mode that suits one benchmark
//     and harms another is rejected as a whole; the reason says that the choice
//     is one for each benchmark.
//   - The other metrics never overrule it, since no rule can know the worth of a
//     byte against a second. The reason names their losses as the price, and their
//     gains.
//   - A mode that gave nothing where the baseline ran is not adopted, however
//     good the rest: it may have crashed there.
func summarise(t *table, baseline, mode string, effects []Effect, perBlock time.Duration) Summary {
	s := Summary{Mode: mode, Geomean: make(map[string]float64)}
	var others []tally
	for _, metric := range t.metrics {
		of := newTally(mode, metric, effects)
		if mean := geomean(of.all); mean > 0 {
			s.Geomean[metric] = mean
		}
		if metric != sample.Primary {
			others = append(others, of)
		}
	}
	cpu := newTally(mode, sample.Primary, effects)
	var silent []sample.Key
	for _, key := range t.keys {
		seen := slices.ContainsFunc(cpu.all, func(e Effect) bool { return e.Key == key })
		if !seen && t.reports(key, baseline, sample.Primary) {
			silent = append(silent, key)
		}
	}
	switch {
	case len(cpu.worse) > 0:
		s.Decision = Reject
	case len(silent) > 0:
		s.Decision = Undecided
	case len(cpu.better) > 0:
		s.Decision = Adopt
	case len(cpu.all) > 0 && len(cpu.open) == 0:
		s.Decision = Neutral
	default:
		s.Decision = Undecided
	}
	if s.Decision == Undecided {
		s.Needed = newForecast(cpu.open, perBlock)
	}
	s.Reason = reason(s.Decision, cpu, others, silent, s.Needed)
	return s
}

// geomean returns the geometric mean of the ratios. That mean suits ratios, because it becomes
// the inverse if baseline and candidate are swapped. It leaves out changes from or to zero, and
// returns 0 if nothing is left.
func geomean(effects []Effect) float64 {
	sum, n := 0.0, 0
	for _, e := range effects {
		if e.Ratio > 0 && !math.IsInf(e.Ratio, 0) {
			sum += math.Log(e.Ratio)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return math.Exp(sum / float64(n))
}
