package verdict

import (
	"math"
	"time"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/stats"
)

// Hopeless is the largest MoreBlocks. It stands for any larger number: the
// effect is too close to δ to be distinguished from it.
const Hopeless = 10_000

// Forecast is the number of further blocks, and their time, that would decide the open
// questions of a mode on the primary metric, if its effects are as large as they look.
type Forecast struct {
	Blocks  int     `json:"more_blocks"`       // further ones, to two digits; at most Hopeless
	Seconds float64 `json:"seconds,omitempty"` // the time that they take; 0 is not known
}

// newForecast returns the forecast of the slowest question. A block takes perBlock; 0 is
// not known.
func newForecast(open []Effect, perBlock time.Duration) *Forecast {
	more := 0
	for _, e := range open {
		more = max(more, e.MoreBlocks)
	}
	if more == 0 {
		return nil
	}
	more = About(more)
	return &Forecast{more, float64(more) * perBlock.Seconds()}
}

// About rounds a number of further blocks to two digits: a forecast knows no more.
func About(blocks int) int {
	for digit := 10; blocks >= 10*digit; digit *= 10 {
		blocks = (blocks + digit/2) / digit * digit
	}
	return blocks
}

// Hopeless reports whether the effect is too close to δ to be distinguished from it, or
// would take more than a day, which nobody waits for.
func (f *Forecast) Hopeless() bool { return f.Blocks >= Hopeless || f.Seconds > 24*60*60 }

// Time is how long the blocks take, rounded up to a duration that people would
// type; 0 where that is not known.
func (f *Forecast) Time() time.Duration {
	unit := time.Minute
	if f.Seconds < 600 {
		unit = 10 * time.Second
	}
	return time.Duration(math.Ceil(f.Seconds/unit.Seconds())) * unit
}

// String returns the blocks and their time in words.
func (f *Forecast) String() string {
	s := "about " + format.Plural(f.Blocks, "more block")
	if f.Seconds > 0 {
		s += " (about " + format.Duration(f.Time()) + ")"
	}
	return s
}

// Soonest returns the inconclusive mode that the fewest further blocks would
// decide; its forecast is nil where none is known.
func Soonest(all []Summary) (mode string, needed *Forecast) {
	for _, s := range all {
		if s.Needed != nil && (needed == nil || s.Needed.Blocks < needed.Blocks) {
			mode, needed = s.Mode, s.Needed
		}
	}
	return mode, needed
}

// moreBlocks returns how many further blocks would decide the question, if the
// estimate stays where it is: the interval narrows as √n, at the level of the
// analysis that is then reached and with the same share of it; δ narrows likewise,
// but not below its minimum.
func (q *question) moreBlocks(blocks int, analyses []int) int {
	n, estimate := q.paired.N(), q.paired.Estimate()
	iv, alpha := q.paired.Interval(q.Level), q.Level
	if !iv.Bounded() { // the widest interval that these pairs can give
		alpha = math.Ldexp(2, -n)
		iv = q.paired.Interval(alpha)
	}
	share := q.Level / alphaAt(blocks, analyses)
	least := math.Log1p(leastDelta)
	for more := 1; more < Hopeless; more += 1 + more/100 { // an error of 1% is fine
		n2 := n + more
		alpha2 := alphaAt(blocks+more, analyses) * share
		if n2 < stats.MinPairs(alpha2) {
			continue
		}
		width := 0.0 // one or two pairs show nothing about the noise
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
