package stats

import (
	"fmt"
	"math"
)

// Interval is a confidence interval for a shift. Its bounds belong to it.
type Interval struct {
	Low, High float64 // -Inf and +Inf where n is too small for the level
	Coverage  float64 // the actual confidence level, at least 1-α
}

// Bounded reports whether n sufficed for the level asked for.
func (iv Interval) Bounded() bool { return !math.IsInf(iv.Low, 0) }

// String returns the interval as people write it.
func (iv Interval) String() string {
	return fmt.Sprintf("[%g, %g] at %.2f%%", iv.Low, iv.High, 100*iv.Coverage)
}

// Interval returns the exact signed-rank confidence interval of level 1-alpha
// around Estimate: the k-th smallest to the k-th largest Walsh average, with
// the largest k for which P(W < k) ≤ alpha/2 (Tukey; Hollander and Wolfe,
// Nonparametric Statistical Methods, section 3.3). Its actual level is
// 1 - 2·P(W < k); with ties among the differences it is at least that, since
// the bounds belong to the interval (Noether, JASA 62, 1967).
//
// Where no k ≥ 1 exists, because even 2/2ⁿ exceeds alpha, the interval has no
// bounds and covers for certain; see MinPairs. An alpha outside (0, 1) is
// taken as the nearest end. Intervals are nested: a smaller alpha gives one that
// contains the other.
func (p *Differences) Interval(alpha float64) Interval {
	tail := nullTail(p.N())
	most := (len(p.walsh) + 1) / 2 // further in, the bounds would cross
	k := 0
	for k < most && tail[k] <= alpha/2 {
		k++
	}
	if k == 0 {
		return Interval{Low: math.Inf(-1), High: math.Inf(1), Coverage: 1}
	}
	return Interval{
		Low:      p.walsh[k-1],
		High:     p.walsh[len(p.walsh)-k],
		Coverage: 1 - 2*tail[k-1],
	}
}

// MinPairs returns the least number of pairs with which a two-sided
// signed-rank test can reach the level alpha, that is 2/2ⁿ ≤ alpha. With that
// many, all pairs have to agree. An alpha of 0 or less cannot be reached: the
// answer is then math.MaxInt.
func MinPairs(alpha float64) int {
	if !(alpha > 0) {
		return math.MaxInt
	}
	n := 1
	for reach := 1.0; reach > alpha; reach /= 2 {
		n++
	}
	return n
}
