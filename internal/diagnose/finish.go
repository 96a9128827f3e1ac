package diagnose

import (
	"cmp"
	"slices"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/profile"
)

// finish sums stacks up to sites, computes ceilings and orders the sites.
func (g *gatherer) finish() {
	for i := range g.sites {
		s := &g.sites[i]
		for _, stack := range s.stacks {
			s.toll.add(g.places[stack].toll)
		}
		s.recent, s.Recent = max(s.recent, 0), s.Recent.atLeastZero()
		g.pool.add(s.toll)
	}
	g.hidden()
	for i := range g.sites {
		s := &g.sites[i]
		s.CPU, s.Memory = g.pool.ceiling(s.toll), g.pool.memory(s.toll)
	}
	g.sumCosts()
	g.weigh()
	g.describe()
	for i := range g.sites {
		if s := &g.sites[i]; s.allocates() {
			g.Sites = append(g.Sites, s.Site)
		}
	}
	slices.SortFunc(g.Sites, func(a, b Site) int {
		return cmp.Or(cmp.Compare(b.CPU.Middle(), a.CPU.Middle()), cmp.Compare(b.Recent.Bytes, a.Recent.Bytes),
			cmp.Compare(b.Live.Bytes, a.Live.Bytes), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Function, b.Function))
	})
}

func (s *siteSums) allocates() bool {
	return s.direct > 0 || s.Alloc.Bytes > 0 || s.Recent.Bytes > 0 || s.Live.Bytes > 0
}

// hidden estimates what no sample shows: how much of the scheduler's time is the
// collector's doing, and what new memory costs the code that uses it first. Both
// follow from how much was allocated while the CPU profile was taken.
func (g *gatherer) hidden() {
	p := &g.pool
	if p.samples == 0 {
		return
	}
	second := p.samples / g.Costs.Seconds
	if p.recent == 0 || !g.Window.OK || g.Window.Value == 0 || g.CPU.DurationNanos == 0 {
		p.touching = p.direct * touchingUnknown
		p.scheduling = min(p.scheduling, p.collection)
		return
	}
	live := p.live
	if g.Runtime.Live.OK {
		live = max(live, g.Runtime.Live.Value)
	}
	bytes := p.recent * float64(g.CPU.DurationNanos) / 1e9 / g.Window.Value
	cycles := bytes / max(live, minHeap-live)
	p.touching = bytes * touchingSeconds * second
	p.scheduling = min(p.scheduling, cycles*cycleScheduling*second)
}

func (g *gatherer) sumCosts() {
	c := &g.Costs
	for class, share := range c.Classes {
		switch class := cost.Class(class); {
		case class.Malloc():
			c.Malloc += share
		case class.Collection():
			c.Collection += share
		}
	}
	if g.pool.samples > 0 {
		c.Idle = g.pool.idle / g.pool.samples
	}
	c.Ceiling = g.pool.ceiling(g.pool.toll)
}

// weigh gives each stack its part of its site's ceilings: CPU samples their own
// cost, heap samples their part of the pool by the bytes allocated.
func (g *gatherer) weigh() {
	for stack := range g.places {
		if at := &g.places[stack]; at.site > 0 {
			at.recent = max(at.recent, 0)
			g.weights[stack].Saves = g.pool.ceiling(at.toll)
			g.weights[stack].Memory = g.pool.memory(at.toll)
		}
	}
}

// weight orders stacks by how much memory they are about, and those of CPU
// samples, which are about none, behind them.
func (g *gatherer) weight(stack profile.StackID) float64 {
	at := &g.places[stack]
	if size := at.recent + at.live; size > 0 {
		return 1 + size
	}
	return g.weights[stack].CPU
}

// describe finds each site's heaviest path, what it allocates through, and how
// much CPU its line takes in all.
func (g *gatherer) describe() {
	for i := range g.sites {
		s := &g.sites[i]
		if !s.allocates() {
			continue
		}
		below := map[string]*Callee{}
		heaviest := s.stacks[0]
		for _, stack := range s.stacks {
			if g.weight(stack) > g.weight(heaviest) {
				heaviest = stack
			}
			g.descend(s, stack, below)
		}
		s.Path = g.path(heaviest)
		for _, c := range below {
			s.Below = append(s.Below, *c)
		}
		slices.SortFunc(s.Below, func(a, b Callee) int {
			return cmp.Or(cmp.Compare(b.Alloc.Bytes, a.Alloc.Bytes), cmp.Compare(b.CPU, a.CPU), cmp.Compare(a.Function, b.Function))
		})
	}
	g.addTotals()
}
