package gctune

import (
	"math"
	"time"
)

const (
	bucketLength = 5 * time.Second
	bucketCount  = 24
	bucketFew    = 12 // the fewest that can tell: a storm may rise for half a minute

	// trendZ is the score of the Mann-Kendall test from which on a rise is no
	// chance (one in 200); twelve buckets that all rise score 4.46.
	trendZ = 2.6

	// trendHorizon is how soon a rise has to meet the ceiling to matter.
	trendHorizon = 15 * time.Minute
)

// trend tells a live heap that keeps rising, a leak or what will look like
// one until it ends, from one that swings or stands. It holds the smallest
// live heap of each five seconds for two minutes: the smallest, because what
// is allocated while marking runs counts as live and is noise here.
type trend struct {
	open    int // the bucket being filled; 0 before the first
	lowest  uint64
	buckets [bucketCount]bucket // oldest first
	n       int
}

type bucket struct {
	index int
	low   uint64
}

func (t trend) learn(now time.Duration, live uint64) trend {
	index := int(now/bucketLength) + 1
	switch {
	case t.open == index:
		t.lowest = min(t.lowest, live)
		return t
	case t.open != 0 && index-t.open > bucketCount/2:
		t = trend{} // too long ago to belong to the same story
	case t.open != 0:
		if t.n == bucketCount {
			copy(t.buckets[:], t.buckets[1:])
			t.n--
		}
		t.buckets[t.n] = bucket{t.open, t.lowest}
		t.n++
	}
	t.open, t.lowest = index, live
	return t
}

// rising reports whether the live heap rises steadily and would meet ceiling
// within the horizon.
func (t *trend) rising(ceiling uint64) bool {
	return t.risingOver(bucketFew, ceiling) || t.risingOver(t.n, ceiling)
}

func (t *trend) risingOver(n int, ceiling uint64) bool {
	if n < bucketFew || n > t.n {
		return false
	}
	b := t.buckets[t.n-n : t.n]
	first, last := b[0], b[n-1]
	s := 0
	for i := range b {
		for j := range i {
			switch {
			case b[i].low > b[j].low:
				s++
			case b[i].low < b[j].low:
				s--
			}
		}
	}
	// The Mann-Kendall test with its correction for continuity: Kendall, Rank
	// Correlation Methods, 1975, ch. 4.
	sd := math.Sqrt(float64(n*(n-1)*(2*n+5)) / 18)
	if float64(s-1)/sd < trendZ || last.low <= first.low {
		return false
	}
	left := float64(ceiling) - float64(last.low)
	return left/slope(first, last) < trendHorizon.Seconds()
}

// expected is what the rise of the last twelve buckets has come to by then, 0
// before there are so many. The low of a bucket in which the heap rises is that of
// its first cycle.
func (t *trend) expected(then time.Duration) uint64 {
	if t.n < bucketFew {
		return 0
	}
	first, last := t.buckets[t.n-bucketFew], t.buckets[t.n-1]
	begun := time.Duration(last.index-1) * bucketLength
	return uint64(max(float64(last.low)+slope(first, last)*(then-begun).Seconds(), 0))
}

// slope is the rise between the lows of two buckets, in bytes per second.
func slope(first, last bucket) float64 {
	return (float64(last.low) - float64(first.low)) / (float64(last.index-first.index) * bucketLength.Seconds())
}
