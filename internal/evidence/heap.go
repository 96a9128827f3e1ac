package evidence

import "github.com/heapwright/heapwright/internal/profile"

// sumHeaps sums heap profiles by site and stack. The last snapshot has the live memory.
// Recent allocations come from profiles over a time, else from the difference between
// the last and the first snapshot, else they are all since the start.
func (b *builder) sumHeaps() {
	var first, last *profile.Profile
	if n := len(b.heaps); n > 0 {
		first, last = b.heaps[0], b.heaps[n-1]
	}
	alloc := func(s *Site, stack profile.StackID, a Amount) { s.Alloc.add(a); b.weights[stack].Alloc.add(a) }
	if last != nil {
		b.each(last, "alloc", alloc)
		b.each(last, "inuse", func(s *Site, stack profile.StackID, a Amount) {
			s.Live.add(a)
			b.weights[stack].Live.add(a)
			b.charges[stack].live += a.Bytes
		})
		for i := range b.sites {
			b.sites[i].liveKnown = true
		}
	}
	recent := func(s *Site, stack profile.StackID, a Amount) {
		s.Recent.add(a)
		b.charges[stack].recent += a.Bytes
	}
	// The best source of recent allocations comes first.
	switch {
	case len(b.allocs) > 0:
		b.Window.OK = true
		for _, p := range b.allocs {
			b.Window.Value += float64(p.DurationNanos) / 1e9
			b.each(p, "alloc", recent)
			if last == nil {
				b.each(p, "alloc", alloc)
			}
		}
	case last != nil && allocatedBetween(first, last):
		b.Window = Known{seconds(first, last), true}
		b.each(last, "alloc", recent)
		b.each(first, "alloc", func(s *Site, stack profile.StackID, a Amount) {
			recent(s, stack, Amount{-a.Bytes, -a.Objects})
		})
	case last != nil:
		b.Window = b.Runtime.Seconds
		b.each(last, "alloc", recent)
	}
}

// each calls f for every sample of a heap profile that has a site, with the
// columns of a kind: "alloc" or "inuse".
func (b *builder) each(p *profile.Profile, kind string, f func(*Site, profile.StackID, Amount)) {
	bytes, _ := p.Column(kind + "_space") // kindOf has checked that they are there
	objects, _ := p.Column(kind + "_objects")
	for row, stack := range p.Stacks {
		a := Amount{float64(p.Values[bytes][row]), float64(p.Values[objects][row])}
		if at := b.places[stack].site; at > 0 && a != (Amount{}) {
			f(&b.sites[at-1], stack, a)
		}
	}
}

// allocatedBetween reports whether two snapshots are of one process, at least
// leastWindow apart, so that their difference was allocated between them.
func allocatedBetween(first, last *profile.Profile) bool {
	column, _ := first.Column("alloc_space")
	other, _ := last.Column("alloc_space")
	return first != last && seconds(first, last) >= leastWindow && last.Total(other) > first.Total(column)
}
