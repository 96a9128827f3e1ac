package gctune

import "time"

const (
	// A rise lasts for rises spans, or it passes for a burst of work.
	spanLength = 10 * time.Second
	rises      = 5

	// leastRise, a share of the live heap, is more than chance adds to the
	// lowest live heap of a span.
	leastRise = 1. / 256
)

// A trend distinguishes a live heap that keeps rising, as with a leak, from one that swings. It
// compares the lowest live heaps of successive spans of time, because a swing comes back to its
// low. So garbage that a cycle mistakes for live memory does not count.
type trend struct {
	lows  [rises + 2]uint64 // newest first; the first belongs to the current span
	highs [rises + 2]uint64 // seen by two successive cycles
	index int               // the index of the current span
	full  int               // the number of known spans
	last  uint64            // live heap of the last cycle
}

func (t trend) learn(now time.Duration, live uint64) trend {
	// A cycle that is held up takes garbage for live; two in a row are rare.
	high := min(live, t.last)
	switch index := int(now / spanLength); {
	case t.full > 0 && index == t.index:
		t.lows[0], t.highs[0] = min(t.lows[0], live), max(t.highs[0], high)
	case t.full > 0 && index == t.index+1:
		copy(t.lows[1:], t.lows[:])
		copy(t.highs[1:], t.highs[:])
		t.lows[0], t.highs[0], t.index, t.full = live, high, index, min(t.full+1, len(t.lows))
	default: // nothing is known about a span without a cycle
		t = trend{index: index, full: 1}
		t.lows[0], t.highs[0] = live, live
	}
	t.last = live
	return t
}

// swing returns the largest range of the live heap within one of the last spans.
func (t *trend) swing() uint64 {
	widest := uint64(0)
	for i := range t.full {
		widest = max(widest, t.highs[i]-min(t.highs[i], t.lows[i]))
	}
	return widest
}

// rising reports whether each complete span was higher than the previous.
func (t *trend) rising() bool {
	if t.full < rises+1 {
		return false
	}
	for i := 1; i < rises; i++ {
		if float64(t.lows[i]) < float64(t.lows[i+1])*(1+leastRise) {
			return false
		}
	}
	return true
}

// expected returns the live heap that a steady rise has reached by now, or 0 if there is none.
func (t *trend) expected(now time.Duration) uint64 {
	if !t.rising() {
		return 0
	}
	slope := float64(t.lows[1]-t.lows[rises]) / float64((rises-1)*spanLength)
	begin := time.Duration(t.index-1) * spanLength // the low of a rising span is at its start
	return t.lows[1] + uint64(slope*float64(now-begin))
}
