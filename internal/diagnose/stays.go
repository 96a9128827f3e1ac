package diagnose

// stays says whether a site's memory stays: it grows from profile to profile,
// or where there is only one, most of it is still alive.
func (e *Evidence) stays(s *Site) bool {
	if len(e.Heaps) < 2 {
		return s.survives() > 0.5
	}
	if !e.grows(s) {
		return false
	}
	// Of a line that makes garbage as well next to nothing survives. What sampling
	// does not explain is a leak all the same, if it is more than requests under
	// way come to.
	return s.survives() > 0.1 || s.Growth.surely() > trifle
}

// grows says whether a site's live bytes grow from one heap profile to the next
// by more than sampling makes of what is constant. What grows in the first
// quarter of the time alone is a program that starts; the figures of a heap
// profile are as old as the last collection, so that what grows all the time may
// show steps.
func (e *Evidence) grows(s *Site) bool {
	live := e.liveSeries(s)
	n := len(live)
	if n < 2 {
		return false
	}
	last := live[n-1]
	for _, v := range live {
		if v > last*1.1 {
			return false
		}
	}
	return last > live[e.settled()]*1.15
}

// settled returns the heap profile from which on growth counts: the first after a
// quarter of the time, if it is not one of the end. By time, not by number: heap
// and allocs are two names for one profile, and often taken together.
func (e *Evidence) settled() int {
	span := seconds(e.Heaps[0], e.Heaps[len(e.Heaps)-1])
	for i, p := range e.Heaps {
		if at := seconds(e.Heaps[0], p); span/4 <= at && at <= span*3/4 && at > 0 {
			return i
		}
	}
	return 0
}

// liveSeries returns a site's live bytes in each heap profile.
func (e *Evidence) liveSeries(s *Site) []float64 {
	if e.live == nil {
		stacks, _, _, _ := e.Dict.Sizes()
		for _, p := range e.Heaps {
			byStack := make([]float64, stacks)
			if column, ok := p.Column("inuse_space"); ok {
				for row, stack := range p.Stacks {
					byStack[stack] += float64(p.Values[column][row])
				}
			}
			e.live = append(e.live, byStack)
		}
	}
	series := make([]float64, len(e.live))
	for i, byStack := range e.live {
		for _, stack := range s.stacks {
			series[i] += byStack[stack]
		}
	}
	return series
}

// survives returns the share of what was allocated that is alive, 1 where it is
// older than the figures for what was allocated.
func (s *Site) survives() float64 {
	if s.Alloc.Bytes == 0 {
		return 1
	}
	return min(1, s.Live.Bytes/s.Alloc.Bytes)
}
