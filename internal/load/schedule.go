package load

import (
	"math"
	"sort"
	"sync/atomic"
	"time"
)

// schedule says when each request is due. It is also the vegeta.Pacer that
// keeps to it.
type schedule struct {
	parts  []part
	total  uint64
	origin time.Time     // a moment before the load began
	lag    atomic.Int64  // how much later vegeta began, as far as known: in nanoseconds
	start  chan struct{} // closed when it has
}

// notBegun is the lag of a load that has not begun.
const notBegun = math.MaxInt64

// part is a segment at its place.
type part struct {
	segment
	begin  time.Duration // the time between the beginning of the load and the part
	before float64       // requests due until then
}

func newSchedule(segments []segment, rate float64) *schedule {
	s := &schedule{origin: time.Now(), start: make(chan struct{})}
	s.lag.Store(notBegun)
	var at time.Duration
	n := 0.0
	for _, seg := range segments {
		seg.from, seg.to = seg.from*rate, seg.to*rate
		s.parts = append(s.parts, part{seg, at, n})
		at += seg.length
		n += seg.requests()
	}
	s.total = uint64(n)
	return s
}

// due returns when request i is due and in which part, for i < total.
func (s *schedule) due(i uint64) (time.Duration, int) {
	// The last part that began before or with this request.
	k := sort.Search(len(s.parts), func(k int) bool { return s.parts[k].before > float64(i) }) - 1
	p := s.parts[k]
	return p.begin + min(p.after(float64(i)-p.before), p.length), k
}

// after returns how long after the part's begin its n-th request is due: the
// time at which the integral of the rate is n. With the rate r₀ + at that is
// the root of at²/2 + r₀t = n, in the form that is also right for a = 0.
func (p part) after(n float64) time.Duration {
	slope := (p.to - p.from) / p.length.Seconds()
	root := math.Sqrt(max(0, p.from*p.from+2*slope*n))
	return time.Duration(2 * n / (p.from + root) * float64(time.Second))
}

// Pace implements vegeta.Pacer.
func (s *schedule) Pace(elapsed time.Duration, hits uint64) (wait time.Duration, stop bool) {
	// Vegeta looked at its clock before we look at ours. The time between, say
	// because another process got the processor, is no part of the lag, so the
	// shortest counts; a latency would else be too short by it, in a whole run.
	lag, known := int64(time.Since(s.origin)-elapsed), s.lag.Load()
	if lag < known {
		s.lag.Store(lag)
	}
	if known == notBegun {
		close(s.start)
	}
	if hits >= s.total {
		return 0, true
	}
	at, _ := s.due(hits)
	return max(0, at-elapsed), false
}

// Rate implements vegeta.Pacer, which uses it for descriptions alone.
func (s *schedule) Rate(elapsed time.Duration) float64 {
	k := sort.Search(len(s.parts), func(k int) bool { return s.parts[k].begin > elapsed }) - 1
	p := s.parts[max(0, k)]
	return p.from + (p.to-p.from)*min(1, (elapsed-p.begin).Seconds()/p.length.Seconds())
}
