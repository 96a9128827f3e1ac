package lifetime

import "slices"

// collect forgets the objects that nothing leads to any more: states that differ in them
// alone are the same.
func (e *engine) collect(s *state) {
	var roots []value
	for _, f := range s.frames {
		roots = f.values(roots)
		for _, d := range f.defers {
			roots = append(roots, d.args...)
		}
	}
	keep := map[int]bool{}
	for c := range s.cells {
		if o := e.objects[c.obj]; o.outside && (!o.element || s.origin[c] != nil && e.holdsMemory(s, s.cells[c])) {
			keep[c.obj] = true
		}
	}
	for id := range s.objs {
		if o := e.objects[id]; o.outside && !o.element || o.kind == anArena && s.objs[id].own {
			keep[id] = true
		}
	}
	for _, t := range s.threads {
		for o := range t.uses {
			keep[o] = true
		}
	}
	for r := range s.sent {
		keep[r.obj] = true
	}
	for o := range keep {
		roots = append(roots, value{refs: []ref{{o, ""}}})
	}
	found := e.reachBy(s, func(cell, value) bool { return true }, roots) // also where a struct was copied from
	for id := range found {
		if a := s.objs[id].arena; a != 0 {
			found[a] = true
		}
	}
	for id, st := range s.objs {
		if !found[id] {
			delete(s.objs, id)
			continue
		}
		if slices.ContainsFunc(st.marks, func(m int) bool { return !found[m] }) {
			st.marks = slices.DeleteFunc(slices.Clone(st.marks), func(m int) bool { return !found[m] })
			s.objs[id] = st
		}
	}
	for c := range s.cells {
		if !found[c.obj] {
			delete(s.cells, c)
			delete(s.origin, c)
		}
	}
}

// holdsMemory reports whether a value refers to memory of an arena or a pool.
func (e *engine) holdsMemory(s *state, v value) bool {
	return v.bits&lost == 0 && slices.ContainsFunc(v.refs, func(r ref) bool {
		return !e.objects[r.obj].outside && (s.objs[r.obj].arena != 0 || s.objs[r.obj].pooled)
	})
}

// widen makes s hold what either state may hold, though the fates of their objects
// differ: those count as unknown.
func (s *state) widen(o *state) {
	s.join(o)
	for id, st := range o.objs {
		old, had := s.objs[id]
		switch {
		case !had:
			st.lost, st.own = true, false
		case old.dead != st.dead || old.arena != st.arena || old.lost != st.lost:
			st = old
			st.lost, st.dead, st.own = true, 0, false
		default:
			st = old
			st.own = old.own && o.objs[id].own
			st.marks = slices.DeleteFunc(slices.Clone(old.marks),
				func(m int) bool { return !slices.Contains(o.objs[id].marks, m) })
			st.pooled = old.pooled && o.objs[id].pooled
		}
		s.objs[id] = st
	}
	for id, st := range s.objs {
		if _, had := o.objs[id]; !had {
			st.lost, st.own = true, false
			s.objs[id] = st
		}
	}
	for _, t := range o.threads {
		s.runs(t)
	}
	for r := range s.sent {
		if o.sent[r] == nil {
			delete(s.sent, r)
		}
	}
	s.locks = slices.DeleteFunc(slices.Clone(s.locks), func(l string) bool { return !slices.Contains(o.locks, l) })
	s.order = max(s.order, o.order)
}
