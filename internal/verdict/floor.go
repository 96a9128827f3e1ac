package verdict

import (
	"math"

	"github.com/heapwright/heapwright/internal/stats"
)

const (
	// leastDelta is the smallest change worth a verdict. Below 1% lie the
	// effects of where code and data happen to come to rest.
	leastDelta = 0.01
	// flips of the control's signs are tried to learn its noise. The 95th
	// percentile of 1000 is known to within 3% of itself (one standard error).
	flips = 1000
)

// noiseFloor returns δ as a log-ratio, from the per-block log-ratios of the
// A/A control: the 95th percentile of the effect that the control's noise gives
// by chance, at least the effect the control did show, at least 1%.
//
// One control shows one effect, which says little of the distribution that it
// came from. But the control's two arms were run in random order, so each
// block's difference might as well have had the other sign; choosing signs at
// random gives the effects that might as well have been seen.
func noiseFloor(control []float64) float64 {
	least := math.Log1p(leastDelta)
	p, err := stats.NewDifferences(control)
	if err != nil {
		return least
	}
	return max(least, stats.FlipQuantile(control, 0.95, flips), math.Abs(p.Estimate()))
}
