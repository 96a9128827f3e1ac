package evidence

import (
	"cmp"
	"slices"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
)

// maxPath is how many frames of a path are kept: further out is the start of the
// goroutine, which explains little.
const maxPath = 32

// describe gives each site that allocates its heaviest path, the functions that
// it allocates through and its line's share of CPU time, and orders the sites.
func (b *builder) describe() {
	b.addTotals()
	b.Sites = make([]Site, 0, len(b.sites))
	for i := range b.sites {
		s := &b.sites[i]
		if s.charge.allocating+s.charge.collecting == 0 && s.Alloc.Bytes == 0 &&
			s.Recent.Bytes == 0 && s.Live.Bytes == 0 {
			continue
		}
		below := map[string]*Callee{}
		heaviest := s.Stacks[0]
		for _, stack := range s.Stacks {
			if b.weigh(stack) > b.weigh(heaviest) {
				heaviest = stack
			}
			b.addCallees(s, stack, below)
		}
		s.Path = b.path(heaviest)
		for _, c := range below {
			s.Below = append(s.Below, *c)
		}
		slices.SortFunc(s.Below, func(a, b Callee) int {
			return cmp.Or(cmp.Compare(b.Alloc.Bytes, a.Alloc.Bytes), cmp.Compare(b.CPU, a.CPU),
				cmp.Compare(a.Function, b.Function))
		})
		b.Sites = append(b.Sites, *s)
		b.allocated += s.Alloc.Bytes
	}
	slices.SortFunc(b.Sites, func(a, b Site) int {
		return cmp.Or(cmp.Compare(b.CPU.Middle(), a.CPU.Middle()), cmp.Compare(b.Recent.Bytes, a.Recent.Bytes),
			cmp.Compare(b.Live.Bytes, a.Live.Bytes), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Function, b.Function))
	})
}

// weigh returns a weight that orders stacks by their memory. Stacks of CPU samples,
// which have no memory, come after them.
func (b *builder) weigh(stack profile.StackID) float64 {
	c := &b.charges[stack]
	if size := c.recent + c.live; size > 0 {
		return 1 + size
	}
	return b.weights[stack].CPU
}

// path returns the frames of a stack, the leaf first, without the runtime's
// innermost, which heap profiles leave out.
func (b *builder) path(stack profile.StackID) []Frame {
	var path []Frame
	for f := range b.dict.Frames(stack) {
		if len(path) == 0 && b.owners.of(f.Function) == owner.Runtime {
			continue
		}
		path = append(path, b.frame(f))
		if len(path) == maxPath {
			break
		}
	}
	return path
}

// addCallees adds a stack to the functions that its site allocates through, each
// once: recursion does not make it more.
func (b *builder) addCallees(s *Site, stack profile.StackID, below map[string]*Callee) {
	w := &b.weights[stack]
	var seen []profile.FunctionID
	for f := range b.dict.Frames(stack) {
		if b.line(f) == s.key {
			return
		}
		if slices.Contains(seen, f.Function) {
			continue
		}
		seen = append(seen, f.Function)
		name := b.dict.FunctionName(f.Function)
		c := below[name]
		if c == nil {
			c = &Callee{Function: name}
			below[name] = c
		}
		c.Alloc.add(w.Alloc)
		c.CPU += w.CPU
	}
}

// addTotals gives each site the CPU share of all samples that its line is in,
// at whatever depth.
func (b *builder) addTotals() {
	index := map[line]int{}
	for i := range b.sites {
		index[b.sites[i].key] = i
	}
	var seen []int
	for stack := range b.weights {
		cpu := b.weights[stack].CPU
		if cpu == 0 {
			continue
		}
		seen = seen[:0]
		for f := range b.dict.Frames(profile.StackID(stack)) {
			if i, ok := index[b.line(f)]; ok && !slices.Contains(seen, i) {
				seen = append(seen, i)
				b.sites[i].Total += cpu
			}
		}
	}
}
