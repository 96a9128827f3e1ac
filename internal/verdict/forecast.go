package verdict

import (
	"math"

	"github.com/heapwright/heapwright/internal/stats"
)

// Hopeless is the largest MoreBlocks. It stands for any larger number: the
// effect is too close to δ to be told from it.
const Hopeless = 10_000

// moreBlocks returns how many further blocks would decide the question, if the
// estimate stays where it is: the interval narrows as √n, at the level of the
// look that is then reached and with the same share of it; δ narrows likewise,
// but not below its minimum.
func (q *question) moreBlocks(blocks int, looks []int) int {
	n, estimate := q.paired.N(), q.paired.Estimate()
	iv, alpha := q.paired.Interval(q.Level), q.Level
	if !iv.Bounded() { // the widest interval that these pairs can give
		alpha = math.Ldexp(2, -n)
		iv = q.paired.Interval(alpha)
	}
	share := q.Level / alphaAt(blocks, looks)
	least := math.Log1p(leastDelta)
	for more := 1; more < Hopeless; more += 1 + more/100 { // to within 1 %
		n2 := n + more
		alpha2 := alphaAt(blocks+more, looks) * share
		if n2 < stats.MinPairs(alpha2) {
			continue
		}
		width := 0.0 // of one or two pairs nothing is known about the noise
		if n > 2 {
			width = stats.Shrink(n, alpha, n2, alpha2)
		}
		low := estimate - (estimate-iv.Low)*width
		high := estimate + (iv.High-estimate)*width
		delta := max(least, q.delta*math.Sqrt(float64(n)/float64(n2)))
		if low > delta || high < -delta || low > -delta && high < delta {
			return more
		}
	}
	return Hopeless
}
