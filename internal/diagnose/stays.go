package diagnose

// stays says whether a site's memory stays: it grows from profile to profile,
// or where there is only one, most of it is still alive.
func (e *Evidence) stays(s *Site) bool {
	if len(e.Heaps) < 2 {
		return s.survives() > 0.5
	}
	return s.survives() > 0.1 && e.grows(s)
}

// grows says whether a site's live bytes grow from one heap profile to the next
// by more than sampling makes of what is constant. What grows in the first
// interval alone is a program that starts; the figures of a heap profile are as
// old as the last collection, so that what grows all the time may show steps.
func (e *Evidence) grows(s *Site) bool {
	all := e.liveSeries(s)
	var live []float64
	for _, i := range e.apart() {
		live = append(live, all[i])
	}
	n := len(live)
	if n < 2 {
		return false
	}
	from := live[0]
	if n > 2 {
		from = live[1]
	}
	last := live[n-1]
	for _, v := range live {
		if v > last*1.1 {
			return false
		}
	}
	return last > from*1.15
}

// apart returns the heap profiles that are some time after the one before: heap
// and allocs are two names for one profile, and often taken together.
func (e *Evidence) apart() []int {
	n := len(e.Heaps)
	kept := []int{0}
	least := (e.Heaps[n-1].TimeNanos - e.Heaps[0].TimeNanos) / int64(4*n)
	for i := 1; i < n; i++ {
		if e.Heaps[i].TimeNanos-e.Heaps[kept[len(kept)-1]].TimeNanos >= least {
			kept = append(kept, i)
		}
	}
	return kept
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
