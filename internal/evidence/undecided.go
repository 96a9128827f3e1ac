package evidence

import "time"

const (
	// suspect is the share of the live heap that a site must hold whose growth is worth more time.
	suspect = 0.05
	// leastSuspect is the least change of a number of goroutines that is.
	leastSuspect = 10
	// moreGoroutines is the time that decides about most numbers of goroutines, which are exact.
	moreGoroutines = 30 * time.Second
)

// Undecided returns how much longer the program would have to be watched to decide about likely
// growth: of memory or goroutines whose trend is above zero by about its standard error, but not by
// two. It returns 0 where nothing is worth more time.
func (e *Evidence) Undecided() (more time.Duration) {
	for i := range e.Sites {
		s := &e.Sites[i]
		g := s.Growth
		if g == nil || g.Enough == 0 || g.Levels || s.Memory.High < suspect {
			continue
		}
		if change := g.PerHour * g.Span / 3600; change > Negligible && g.Likely() {
			more = max(more, time.Duration((g.Enough-g.Span)*float64(time.Second)))
		}
	}
	n := &e.Goroutines
	if t := n.Trend; t != nil && t.Low <= 0 && t.Low+t.PerHour > 0 && n.Last-n.First >= leastSuspect {
		more = max(more, moreGoroutines)
	}
	if exact := growthOf(e.Runtime.Heaps); exact.Steady() {
		return 0
	}
	return more
}
