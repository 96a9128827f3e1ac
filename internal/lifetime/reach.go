package lifetime

import (
	"maps"
	"slices"
	"strings"
)

// reached are the objects that values lead to, in order.
func (e *engine) reached(s *state, values ...value) []int { return sortedKeys(e.reach(s, values...)) }

// surelyReached are the objects to which no flow is lost on the way.
func (e *engine) surelyReached(s *state, values ...value) []int {
	return sortedKeys(e.reachBy(s, func(c cell, v value) bool { return isContent(c) && v.bits&lost == 0 }, values))
}

// reach are the objects that values lead to.
func (e *engine) reach(s *state, values ...value) map[int]bool {
	return e.reachBy(s, func(c cell, _ value) bool { return isContent(c) }, values)
}

// reachBy are the objects that values lead to by the cells that count.
func (e *engine) reachBy(s *state, counts func(cell, value) bool, values []value) map[int]bool {
	found := map[int]bool{}
	var queue []int
	var add func(v value)
	add = func(v value) {
		for _, r := range v.refs {
			if !found[r.obj] {
				found[r.obj] = true
				queue = append(queue, r.obj)
			}
		}
		for _, p := range v.parts {
			add(p)
		}
	}
	for _, v := range values {
		add(v)
	}
	if len(queue) == 0 {
		return found
	}
	held := e.edges(s, counts)
	for len(queue) > 0 {
		o := queue[0]
		queue = queue[1:]
		for _, r := range held.of(o) {
			if !found[r.obj] {
				found[r.obj] = true
				queue = append(queue, r.obj)
			}
		}
	}
	return found
}

// edges are the references in the cells of a state, in the order of their objects. The
// engine has one, which is filled again for each search.
type edges struct {
	refs []ref
	// first is the index of the first reference of each object.
	first []int32
}

func (c *edges) of(o int) []ref { return c.refs[c.first[o]:c.first[o+1]] }

func (e *engine) edges(s *state, counts func(cell, value) bool) *edges {
	c := &e.reachable
	c.first = slices.Grow(c.first[:0], len(e.objects)+1)[:len(e.objects)+1]
	clear(c.first)
	n := int32(0)
	for at, v := range s.cells {
		if len(v.refs) > 0 && counts(at, v) {
			c.first[at.obj] += int32(len(v.refs))
			n += int32(len(v.refs))
		}
	}
	end := int32(0)
	for o, k := range c.first {
		end += k
		c.first[o] = end
	}
	c.refs = slices.Grow(c.refs[:0], int(n))[:n]
	for at, v := range s.cells {
		if len(v.refs) > 0 && counts(at, v) {
			c.first[at.obj] -= int32(len(v.refs))
			copy(c.refs[c.first[at.obj]:], v.refs)
		}
	}
	return c
}

// isContent reports whether a cell holds references that are read.
func isContent(c cell) bool {
	return !strings.HasSuffix(c.path, whole) && !strings.HasSuffix(c.path, endedElements) && c.path != ofPool &&
		!strings.Contains(c.path, picked)
}

// lent are the arenas that values lead to only as a context does: they remain with
// those who have put them there.
func (e *engine) lent(s *state, values []value) map[int]bool {
	without := s.clone()
	lent := map[int]bool{}
	for _, o := range e.reached(s, values...) {
		if code := e.objects[o].code; e.objects[o].typ == "?" && (code == "context" || code == intoArena) {
			for _, r := range e.arenasOf(s.cells[cell{o, ".%held"}]).refs {
				lent[r.obj] = true
			}
			delete(without.cells, cell{o, ".%held"})
		}
	}
	if len(lent) > 0 {
		for o := range e.reach(without, values...) {
			delete(lent, o)
		}
	}
	return lent
}

// contextArenas are the arenas that a context holds.
func (e *engine) contextArenas(s *state, context value) (arenas value) {
	for _, c := range context.refs {
		if e.objects[c.obj].code != "context" {
			continue
		}
		for _, r := range s.cells[cell{c.obj, ".%held"}].refs {
			if e.objects[r.obj].kind == anArena {
				arenas = union(arenas, to(r))
			}
		}
	}
	return arenas
}

func sortedKeys[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }

func (s *state) sortedCells() []cell {
	all := slices.Collect(maps.Keys(s.cells))
	slices.SortFunc(all, func(a, b cell) int { return compareRefs(ref(a), ref(b)) })
	return all
}

func (s *state) sortedSent() []ref { return slices.SortedFunc(maps.Keys(s.sent), compareRefs) }
