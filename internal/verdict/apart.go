package verdict

import (
	"fmt"
	"math"

	"github.com/heapwright/heapwright/internal/format"
)

// Apart explains a ratio that disagrees with the ratio of the medians before and after,
// or returns "". They disagree if they have different signs, or if one is less
// than half of the other; differences within the least δ are nothing to explain.
func Apart(ratio, before, after float64) string {
	change, medians := logRatio(ratio, 1), logRatio(after, before)
	large, small := change, medians
	if math.Abs(large) < math.Abs(small) {
		large, small = small, large
	}
	if math.Abs(large-small) <= math.Log1p(leastDelta) || small/large >= 0.5 {
		return ""
	}
	return fmt.Sprintf("the medians alone change by %s: they mix all blocks, while the change is of runs side by side within a block", format.Change(math.Exp(medians)))
}
