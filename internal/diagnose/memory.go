package diagnose

import "github.com/heapwright/heapwright/internal/profile"

// addMemory sums heap profiles up by site. What lives is from the last
// snapshot; what is being allocated from profiles over a time, else from the
// difference of the last and the first snapshot, else from the start on.
func (g *gatherer) addMemory(s *Profiles) {
	var first, last *profile.Profile
	if n := len(g.Heaps); n > 0 {
		first, last = g.Heaps[0], g.Heaps[n-1]
	}
	alloc := func(site *siteSums, _ *place, w *Weight, a Amount) { site.Alloc.add(a); w.Alloc.add(a) }
	if last != nil {
		g.each(last, "alloc", alloc)
		g.each(last, "inuse", func(site *siteSums, at *place, w *Weight, a Amount) {
			site.Live.add(a)
			w.Live.add(a)
			at.live += a.Bytes
		})
		for i := range g.sites {
			g.sites[i].alive = true
		}
	}
	recent := func(site *siteSums, at *place, _ *Weight, a Amount) {
		site.Recent.add(a)
		at.recent += a.Bytes
	}
	switch {
	case len(s.Allocs) > 0:
		g.Window.OK = true
		for _, p := range s.Allocs {
			g.Window.Value += float64(p.DurationNanos) / 1e9
			g.each(p, "alloc", recent)
			if last == nil {
				g.each(p, "alloc", alloc)
			}
		}
	case last != nil && grown(first, last):
		g.Window = Known{seconds(first, last), true}
		g.each(last, "alloc", recent)
		g.each(first, "alloc", func(site *siteSums, at *place, w *Weight, a Amount) {
			recent(site, at, w, Amount{-a.Bytes, -a.Objects})
		})
	case last != nil:
		g.Window = g.Runtime.Seconds
		g.each(last, "alloc", recent)
	}
}

// each calls f for every sample of a heap profile that has a site, with the
// columns of a kind: "alloc" or "inuse".
func (g *gatherer) each(p *profile.Profile, kind string, f func(*siteSums, *place, *Weight, Amount)) {
	bytes, _ := p.Column(kind + "_space") // kindOf has checked that they are there
	objects, _ := p.Column(kind + "_objects")
	for row, stack := range p.Stacks {
		a := Amount{float64(p.Values[bytes][row]), float64(p.Values[objects][row])}
		if at := g.at(stack); at.site > 0 && a != (Amount{}) {
			f(&g.sites[at.site-1], &g.places[stack], &g.weights[stack], a)
		}
	}
}

// grown says whether two snapshots are of one process, at least a second apart,
// so that their difference is what was allocated between them.
func grown(first, last *profile.Profile) bool {
	column, _ := first.Column("alloc_space")
	other, _ := last.Column("alloc_space")
	return first != last && seconds(first, last) >= 1 && last.Total(other) > first.Total(column)
}

func seconds(first, last *profile.Profile) float64 {
	if first.TimeNanos == 0 || last.TimeNanos == 0 {
		return 0
	}
	return float64(last.TimeNanos-first.TimeNanos) / 1e9
}
