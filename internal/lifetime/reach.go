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
	return sortedKeys(e.reachBy(s.byObject(func(v value) bool { return v.bits&lost == 0 }), values))
}

// reach are the objects that values lead to.
func (e *engine) reach(s *state, values ...value) map[int]bool {
	return e.reachBy(s.byObject(func(value) bool { return true }), values)
}

func (e *engine) reachBy(by map[int][]value, values []value) map[int]bool {
	found := map[int]bool{}
	var queue []int
	add := func(v value) {
		for _, r := range v.refs {
			if !found[r.obj] {
				found[r.obj] = true
				queue = append(queue, r.obj)
			}
		}
	}
	var all func(v value)
	all = func(v value) {
		add(v)
		for _, p := range v.parts {
			all(p)
		}
	}
	for _, v := range values {
		all(v)
	}
	for len(queue) > 0 {
		o := queue[0]
		queue = queue[1:]
		for _, v := range by[o] {
			add(v)
		}
	}
	return found
}

// lent are the arenas that values lead to only as a context does: they remain with
// those who have put them there.
func (e *engine) lent(s *state, values []value) map[int]bool {
	without := s.clone()
	lent := map[int]bool{}
	for _, o := range e.reached(s, values...) {
		if e.objects[o].typ == "?" && e.objects[o].code == "context" {
			for _, r := range e.contextArenas(s, to(ref{o, ""})).refs {
				lent[r.obj] = true
			}
			delete(without.cells, cell{o, ".held"})
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
		for _, r := range s.cells[cell{c.obj, ".held"}].refs {
			if e.objects[r.obj].kind == anArena {
				arenas = union(arenas, to(r))
			}
		}
	}
	return arenas
}

func (s *state) byObject(counts func(value) bool) map[int][]value {
	by := map[int][]value{}
	for c, v := range s.cells {
		if len(v.refs) > 0 && counts(v) && !strings.HasSuffix(c.path, whole) && !strings.HasSuffix(c.path, endedElements) {
			by[c.obj] = append(by[c.obj], v)
		}
	}
	return by
}

func sortedKeys[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }

func (s *state) sortedCells() []cell {
	all := slices.Collect(maps.Keys(s.cells))
	slices.SortFunc(all, func(a, b cell) int { return compareRefs(ref(a), ref(b)) })
	return all
}

func (s *state) sortedSent() []ref { return slices.SortedFunc(maps.Keys(s.sent), compareRefs) }
