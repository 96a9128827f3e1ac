package verdict

import (
	"fmt"
	"math"

	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/stats"
)

// A question is whether one mode changes one metric of one benchmark. It becomes an Effect.
type question struct {
	Effect
	paired *stats.Differences
	delta  float64 // δ as a log-ratio
}

// newQuestion estimates an effect. It returns nil if there is no pair.
func newQuestion(t *table, key sample.Key, baseline, candidate, metric string, delta float64) *question {
	p := t.pair(key, baseline, candidate, metric)
	paired, err := stats.NewDifferences(p.d)
	if err != nil { // logRatio is finite, so there were no pairs
		return nil
	}
	q := &question{paired: paired, delta: delta, Effect: Effect{
		Key: key, Mode: candidate, Metric: metric,
		Blocks:    len(p.d),
		Ratio:     ratio(paired.Estimate()),
		P:         paired.P(),
		Delta:     math.Expm1(delta),
		Baseline:  stats.Median(p.baseline),
		Candidate: stats.Median(p.candidate),
	}}
	if text := Apart(q.Ratio, q.Baseline, q.Candidate); text != "" {
		q.warn("%s", text)
	}
	if p.dropped > 0 {
		q.warn("%d of %d blocks gave no pair of figures", p.dropped, t.blocks)
	}
	return q
}

// at sets the interval of the effect for a level.
func (q *question) at(level float64) {
	iv := q.paired.Interval(level)
	q.Level, q.Low, q.High = level, ratio(iv.Low), ratio(iv.High)
	if !iv.Bounded() {
		q.warn("%d pairs are too few for an interval at the level %.2g: at least %d are needed",
			q.Blocks, level, stats.MinPairs(level))
	}
}

// direction returns the verdict on an effect that is larger than δ.
func (q *question) direction() Verdict {
	less := q.paired.Estimate() < 0
	if less == (sample.Lookup(q.Metric).Better == sample.Lower) {
		return Better
	}
	return Worse
}

func (q *question) warn(format string, args ...any) {
	q.Warnings = append(q.Warnings, fmt.Sprintf(format, args...))
}
