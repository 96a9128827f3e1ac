package lifetime

import (
	"slices"
	"strings"
)

// returned reports results whose memory has ended.
func (e *engine) returned(s *state, in *Instr, results []value) {
	level := len(e.stack) - 1
	if !e.lexical(level) {
		return
	}
	for i, v := range results {
		e.observe(s)
		for _, o := range e.surelyReached(s, v) {
			st := s.objs[o]
			if st.dead == 0 || st.lost || v.bits&lost != 0 {
				continue
			}
			d := e.deaths[st.dead-1]
			late := len(d.at) > level && d.at[level].late && d.at[level].in.Op == Defer
			c := &candidate{kind: Use, use: kept, at: e.where(), death: d, obj: o, name: e.nameAt(s, in.X[i], o)}
			if late {
				c.kind, c.from = Escape, e.where()
				if fn := e.through(s, v, o); fn != nil {
					c.from = e.keptAt(s, fn, o)
				}
				c.text = "memory of the arena %s is returned, but the deferred Free of %[2]s ends it"
				if d.how == put {
					c.kind, c.text = Pool, ""
				}
			} else if d.how == put {
				c.kind = Pool
				c.list = !slices.ContainsFunc(v.refs, func(r ref) bool {
					return r.obj == o ||
						e.objects[r.obj].of != nil
				}) && inElements(s, v, o)
			}
			e.fault(s, c)
		}
	}
}

// inElements reports whether an object is an element of a list.
func inElements(s *state, v value, obj int) bool {
	for _, r := range v.refs {
		if slices.ContainsFunc(s.cells[cell{r.obj, r.path + elements}].refs, func(r ref) bool { return r.obj == obj }) {
			return true
		}
	}
	return false
}

// panics reports the value of a panic if a deferred call ends its memory: whoever
// recovers reads it later.
func (e *engine) panics(s *state, in *Instr) {
	v := e.operand(s, in.X[0])
	if len(v.refs) == 0 || len(s.top().defers) == 0 || !e.lexical(len(e.stack)-1) {
		return
	}
	stack, before := e.where(), s.clone()
	for _, after := range e.calls(s, in) {
		for _, o := range e.reached(after, v) {
			if st := after.objs[o]; st.dead != 0 && !st.lost && before.objs[o].dead == 0 {
				d := e.deaths[st.dead-1]
				e.fault(s, &candidate{kind: Escape, use: kept, at: d.at, from: d.at, death: d, obj: o,
					text: "memory of the arena %s is the value of a panic, but the deferred Free of %[2]s ends it"})
			}
		}
	}
	e.stack = append(e.stack[:0], stack...)
}

// through is the function of a value that alone leads to an object, or the first value of a
// library on the way to it.
func (e *engine) through(s *state, v value, obj int) *object {
	for _, o := range e.nearest(s, v) {
		fn := e.objects[o]
		if fn.kind != closure && fn.typ != "?" || len(fn.at) == 0 || o == obj {
			continue
		}
		without := s.clone()
		for c := range s.cells {
			if c.obj == o {
				delete(without.cells, c)
			}
		}
		if !e.reach(without, v)[obj] {
			return fn
		}
	}
	return nil
}

// keptAt is where a value of a library got a reference to an object, or where the value was
// made.
func (e *engine) keptAt(s *state, o *object, obj int) []point {
	for _, c := range s.sortedCells() {
		if at := s.origin[c]; c.obj == o.id && o.typ == "?" && len(at) > 0 && e.reach(s, s.cells[c])[obj] {
			return at
		}
	}
	return o.at
}

// nearest are the objects that a value leads to, in the order of their distance.
func (e *engine) nearest(s *state, v value) (all []int) {
	held, found := e.edges(s, func(c cell, _ value) bool { return isContent(c) }), map[int]bool{}
	for refs := v.refs; len(refs) > 0; {
		level := map[int]bool{}
		for _, r := range refs {
			level[r.obj] = level[r.obj] || !found[r.obj]
		}
		refs = nil
		for _, o := range sortedKeys(level) {
			if level[o] {
				found[o], all, refs = true, append(all, o), append(refs, held.of(o)...)
			}
		}
	}
	return all
}

// left prepares the state after a call: a fault of the callee alone is not one of its
// callers.
func (e *engine) left(s, before *state, code *Code) {
	level := len(e.stack)
	if e.lexicalCode(code) {
		return
	}
	for o, st := range s.objs {
		at := e.objects[e.base(o)].at
		if e.objects[e.base(o)].outside || e.objects[o].aged { // one of an earlier call
			continue
		}
		if len(at) <= level || !samePath(at, e.stack) {
			continue
		}
		if was, had := before.objs[o]; had && was.dead == 0 { // the call before this one made it
			continue
		}
		if st.dead != 0 && samePath(e.deaths[st.dead-1].at, e.stack) && !(code.callsBack() && e.passedOut(s, o, level)) &&
			!e.keptByCallback(s, o, level) {
			st.lost = true
			s.objs[o] = st
		}
	}
}

// passedOut reports whether a function literal of the function that is followed, which a
// call ran, made an object, by a function of its own or not, or stored a reference to it.
func (e *engine) passedOut(s *state, o, level int) bool {
	if slices.ContainsFunc(e.objects[o].at[level:], func(p point) bool { return e.lexicalCode(p.code) }) {
		return true
	}
	for c, v := range s.cells {
		if slices.ContainsFunc(v.refs, func(r ref) bool { return r.obj == o }) && e.inside(s.origin[c]) {
			return true
		}
	}
	return false
}

// keptByCallback reports whether a function that the callee knows only as a value has stored
// a reference to an object where it was before the call.
func (e *engine) keptByCallback(s *state, o, level int) bool {
	for c, v := range s.cells {
		made := e.objects[c.obj].at
		if !slices.ContainsFunc(v.refs, func(r ref) bool { return r.obj == o }) || len(made) > level && samePath(made, e.stack) {
			continue
		}
		if at := s.origin[c]; len(at) > level && samePath(at, e.stack) && slices.ContainsFunc(at[level:], func(p point) bool {
			return p.in.Op == Call && (p.in.Name == "" || p.in.Flag)
		}) {
			return true
		}
	}
	return false
}

func samePath(at, stack []point) bool {
	if len(at) < len(stack) {
		return false
	}
	for i := range stack {
		if !at[i].same(stack[i]) {
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
	if !e.isHeld(s, o.id) {
		e.leak(s, o, e.where())
	}
}

// isHeld reports whether a register, a deferred call or memory from outside leads to an object.
func (e *engine) isHeld(s *state, obj int) bool {
	values := []value{}
	for _, f := range s.frames {
		values = f.values(values)
		for _, d := range f.defers {
			values = append(values, d.args...)
		}
	}
	for c, v := range s.cells {
		if e.objects[c.obj].outside {
			values = append(values, v)
		}
	}
	return e.reach(s, values...)[obj]
}

func (e *engine) leak(s *state, o *object, at []point) {
	c := &candidate{kind: Leak, at: at, from: o.at, obj: o.id, name: o.holder, field: o.field,
		loaned: s.objs[o.id].loaned}
	for _, in := range s.sortedCells() {
		holder := e.objects[in.obj]
		if !strings.Contains(holder.typ, ".") || !slices.Contains(s.cells[in].refs, ref{o.id, ""}) {
			continue
		}
		c.name, c.field = holder.typ, in.path
		for other, v := range s.cells {
			if other.obj == in.obj && len(v.refs) == 1 && e.objects[v.refs[0].obj].kind == anArena &&
				s.objs[v.refs[0].obj].dead != 0 {
				c.text = partlyFreed
			}
		}
	}
	e.fault(s, c)
}

// partlyFreed marks an arena whose holder has another one that was freed.
const partlyFreed = "partly"

// finish reports what is wrong at the end of the function that is followed.
func (e *engine) finish(x exit) {
	s := x.s
	e.background(s)
	out := e.outlives(s, x.results)
	for _, v := range x.results {
		for _, r := range v.refs {
			a := e.objects[s.objs[r.obj].arena]
			if a != nil && a.of != nil && strings.HasSuffix(a.of.path, ofContext) {
				e.program.known[answers] = true
			}
		}
	}
	for o := range out {
		st := s.objs[o]
		if fn := e.program.codes[e.objects[o].code]; fn != nil && fn.Exposes && e.objects[o].kind == closure {
			e.exposes = true
		}
		e.exposes = e.exposes || st.arena != 0 || st.pooled || e.objects[o].kind == anArena &&
			!e.objects[e.base(o)].outside
	}
	for _, id := range sortedKeys(s.objs) {
		o, st := e.objects[id], s.objs[id]
		if o.kind == anArena && st.own && st.dead == 0 && !st.lost && !out[id] && !o.aged {
			e.leak(s, o, []point{x.at})
		}
	}
	e.keeps(s)
	e.keepings(s)
	e.leavesStale(s)
}

// keeps reports memory that has ended and is kept where it is found later, at the end of the
// function that is followed, or of a goroutine.
func (e *engine) keeps(s *state) {
	for _, c := range s.sortedCells() {
		holder, v := e.objects[c.obj], s.cells[c]
		if !holder.outside || v.bits&lost != 0 || len(v.refs) == 0 || strings.HasSuffix(c.path, whole) {
			continue
		}
		at := s.origin[c]
		if at == nil || s.objs[c.obj].dead != 0 || holder.element && e.storesTo(holder.typ, c.path) > 1 {
			continue
		}
		for _, o := range e.surelyReached(s, v) {
			st := s.objs[o]
			if st.dead == 0 || st.lost {
				continue
			}
			d := e.deaths[st.dead-1]
			if !e.outlivesRequest(c, d.of) || e.endsWith(s, c.obj, d) {
				continue
			}
			given := len(e.blamed(at, o)) < len(at) // another function keeps its argument
			if !e.looked[c] && !e.readsLate(c) && (d.how == put && !e.interior(s, v) && !given ||
				e.sameOwner(c.obj, d.of) && !e.accumulates(s, c, v, o)) {
				continue
			}
			kind := Escape
			if d.how == put {
				kind = Pool
			}
			if e.objects[o].kind == anArena && (!d.late || slices.Contains(v.refs, ref{o, ""})) { // the field should have been cleared there
				at = d.at
			}
			if kind == Pool && !e.interior(s, v) && !given { // the field should have been cleared there, too
				at = d.at
			}
			text := e.keptIn(holder, kind)
			if e.isBorrowed(e.objects[d.of]) && e.readsLate(c) {
				text = "memory of the arena %s is kept in " + holder.name +
					", which a handler around this one reads later"
			}
			e.fault(s, &candidate{kind: kind, use: kept, at: d.at, from: at, death: d, obj: o, text: text})
		}
	}
}

// storesTo counts the instructions that set a field, in the functions that were followed. If a
// loop has set it, another one may have set it again for all elements.
func (e *engine) storesTo(typ, path string) (n int) {
	for c := range e.entered {
		for _, in := range c.instrs() {
			if in.Op == Store {
				at := c.definition(in.X[0])
				if at != nil && at.Op == Field && at.Type == typ && at.Name == path {
					n++
				}
			}
		}
	}
	return n
}

func (e *engine) keptIn(holder *object, kind Kind) string {
	name, _, _ := strings.Cut(holder.name, ".")
	where := "what " + name + " refers to"
	if strings.HasPrefix(holder.key, "global ") {
		where = "the package's variable " + name
	}
	if kind == Pool {
		return "memory of %s is kept in " + where + ", but the function gives it back to the pool"
	}
	return "memory of the arena %s is kept in " + where + ", but %[2]s ends in this function"
}

// interior reports whether a value refers to a part of the value that was put, or to a variable
// with one.
func (e *engine) interior(s *state, v value) bool {
	isPart := func(r ref) bool { return r.path != "" || e.objects[r.obj].of != nil }
	return slices.ContainsFunc(v.refs, func(r ref) bool {
		return isPart(r) || slices.ContainsFunc(s.cells[cell(r)].refs, isPart)
	})
}

// accumulates reports whether a field got memory that ends with this call in addition to
// what it had before, so that later calls find both.
func (e *engine) accumulates(s *state, c cell, v value, obj int) bool {
	if e.objects[obj].outside || len(v.refs) < 2 {
		return false
	}
	for _, r := range v.refs {
		if of := e.objects[r.obj].of; of != nil && *of == ref(c) {
			return s.objs[r.obj].dead == 0
		}
	}
	return false
}

// sameOwner reports whether a place belongs to the same variable as an arena.
func (e *engine) sameOwner(holder, arena int) bool {
	a := e.objects[arena]
	return a.outside && e.base(holder) == e.base(arena)
}

// endsWith reports whether the end of memory is the end of the variable that keeps it, too: the
// arena was freed, and is still the one of the variable.
func (e *engine) endsWith(s *state, holder int, d *death) bool {
	if d.how != freed || !e.sameOwner(holder, d.of) || e.isBorrowed(e.objects[d.of]) {
		return false
	}
	of := e.objects[d.of].of
	if of == nil {
		return false
	}
	at := cell(*of)
	return at.path != "" && !strings.HasPrefix(e.objects[e.base(d.of)].key, "global ") &&
		slices.Equal(s.cells[at].refs, []ref{{d.of, ""}})
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
