package lifetime

import "strings"

// returned reports results whose memory has ended.
func (e *engine) returned(s *state, in *Instr, results []value) {
	level := len(e.stack) - 1
	if !e.lexical(level) {
		return
	}
	for i, v := range results {
		e.observe(s)
		for o := range e.reach(s, v) {
			st := s.objs[o]
			if st.dead == 0 || st.lost || v.bits&lost != 0 {
				continue
			}
			d := e.deaths[st.dead-1]
			late := len(d.at) > level && d.at[level].late && d.at[level].in.Op == Defer
			c := &candidate{kind: Use, use: kept, at: e.where(), death: d, obj: o, name: e.nameAt(s, in.X[i], o)}
			if late {
				c.kind, c.from = Escape, e.where()
				c.text = "memory of the arena %s is returned, but the deferred Free of %[2]s ends it"
				if d.how == put {
					c.kind, c.text = Pool, ""
				}
			} else if d.how == put {
				c.kind = Pool
			}
			e.fault(s, c)
		}
	}
}

// left prepares the state after a call: a fault of the callee alone is not one of its
// callers.
func (e *engine) left(s *state, code *Code) {
	level := len(e.stack)
	if e.lexicalCode(code) {
		return
	}
	for o, st := range s.objs {
		at := e.objects[e.base(o)].at
		if e.objects[e.base(o)].outside {
			continue
		}
		if len(at) <= level || !samePath(at, e.stack) {
			continue
		}
		if st.dead != 0 && samePath(e.deaths[st.dead-1].at, e.stack) {
			st.lost = true
			s.objs[o] = st
		}
	}
}

func samePath(at, stack []point) bool {
	if len(at) < len(stack) {
		return false
	}
	for i := range stack {
		if at[i].key() != stack[i].key() {
			return false
		}
	}
	return true
}

// remade reports an arena that is begun again before it was freed.
func (e *engine) remade(s *state, o *object) {
	st := s.objs[o.id]
	if !st.own || st.dead != 0 || st.lost {
		return
	}
	values := []value{}
	for _, f := range s.frames {
		values = append(values, f.regs...)
		for _, d := range f.defers {
			values = append(values, d.args...)
		}
	}
	for c, v := range s.cells {
		if e.objects[c.obj].outside {
			values = append(values, v)
		}
	}
	if e.reach(s, values...)[o.id] {
		return
	}
	e.leak(s, o, e.where())
}

func (e *engine) leak(s *state, o *object, at []point) {
	e.fault(s, &candidate{kind: Leak, at: at, from: o.at, obj: o.id})
}

// finish reports what is wrong at the end of the function that is followed.
func (e *engine) finish(x exit) {
	s := x.s
	out := e.outlives(s, x.results)
	for o := range out {
		st := s.objs[o]
		e.exposes = e.exposes || st.arena != 0 || st.pooled || e.objects[o].kind == anArena && !e.objects[e.base(o)].outside
	}
	for id, st := range s.objs {
		o := e.objects[id]
		if o.kind == anArena && st.own && st.dead == 0 && !st.lost && !out[id] && !o.aged {
			e.leak(s, o, []point{x.at})
		}
	}
	for c, v := range s.cells {
		holder := e.objects[c.obj]
		if !holder.outside || v.bits&lost != 0 || len(v.refs) == 0 || strings.HasSuffix(c.path, whole) {
			continue
		}
		at := s.origin[c]
		if at == nil || s.objs[c.obj].dead != 0 {
			continue
		}
		for o := range e.reach(s, v) {
			st := s.objs[o]
			if st.dead == 0 || st.lost {
				continue
			}
			d := e.deaths[st.dead-1]
			if d.how == put && !e.interior(v) || e.sameOwner(c.obj, d.of) {
				continue
			}
			kind := Escape
			if d.how == put {
				kind = Pool
			}
			e.fault(s, &candidate{kind: kind, use: kept, at: d.at, from: at, death: d, obj: o, text: e.keptIn(holder, kind)})
		}
	}
}

func (e *engine) keptIn(holder *object, kind Kind) string {
	name, _, _ := strings.Cut(holder.name, ".")
	where := "what " + name + " refers to"
	if strings.HasPrefix(holder.key, "global ") && !strings.Contains(holder.key, ">") {
		where = "the package's variable " + name
	} else if strings.HasPrefix(holder.key, "global ") {
		where = "the package's variable " + name
	}
	if kind == Pool {
		return "memory of %s is kept in " + where + ", but the function gives it back to the pool"
	}
	return "memory of the arena %s is kept in " + where + ", but %[2]s ends in this function"
}

// interior reports whether a value refers to a part of what was put.
func (e *engine) interior(v value) bool {
	for _, r := range v.refs {
		if r.path != "" || e.objects[r.obj].of != nil {
			return true
		}
	}
	return false
}

// sameOwner reports whether a place belongs to the same variable as an arena.
func (e *engine) sameOwner(holder, arena int) bool {
	a := e.objects[arena]
	return a.outside && e.base(holder) == e.base(arena)
}

func (e *engine) base(o int) int {
	for e.objects[o].of != nil {
		o = e.objects[o].of.obj
	}
	return o
}

// outlives are the objects that results and memory from outside lead to.
func (e *engine) outlives(s *state, results []value) map[int]bool {
	values := append([]value{}, results...)
	for c, v := range s.cells {
		if e.objects[c.obj].outside && !strings.HasSuffix(c.path, whole) {
			values = append(values, v)
		}
	}
	return e.reach(s, values...)
}
