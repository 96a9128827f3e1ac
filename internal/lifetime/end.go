package lifetime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A use is how memory is used.
type use uint8

const (
	read use = iota
	write
	passed // an argument
	kept   // stored where it is reached later
	ended  // ended again
)

// A candidate is a fault on the path that was followed. It is reported if the path is
// one that the function surely has.
type candidate struct {
	kind  Kind
	use   use
	at    []point // the fault, unless from says more
	from  []point // the store, the goroutine or the creation that it concerns
	death *death
	obj   int
	name  string // the name of what is used
	text  string // the message, if it is not made of the others
}

// An observation counts the states in which an object was dead or alive at a use.
type observation struct{ dead, alive int }

// uses notes a use of what a value refers to.
func (e *engine) uses(s *state, v value, x Operand, how use) {
	if len(v.refs) == 0 {
		return
	}
	e.observe(s)
	for _, r := range v.refs {
		if held, ok := s.cells[cell{r.obj, ".held"}]; ok && e.objects[r.obj].typ == "?" && how != kept {
			e.uses(s, held, x, how)
		}
		st := s.objs[r.obj]
		e.inThread(s, r.obj, st)
		if st.dead == 0 || st.lost || v.bits&lost != 0 {
			continue
		}
		kind, d := Use, e.deaths[st.dead-1]
		if d.how == put {
			kind = Pool
		}
		e.fault(s, &candidate{kind: kind, use: how, at: e.where(), death: d, obj: r.obj, name: e.nameAt(s, x, r.obj)})
	}
}

// inThread notes a use by a goroutine, and reports one beside a goroutine that ends
// the object.
func (e *engine) inThread(s *state, obj int, st status) {
	if t := e.thread; t != nil {
		if t.uses[obj] == nil {
			t.uses[obj] = e.where()
		}
		return
	}
	if e.objects[obj].kind != anArena && st.arena != 0 {
		return
	}
	for _, t := range s.threads {
		if t.puts[obj] && e.objects[obj].kind != anArena {
			e.fault(s, &candidate{kind: Pool, at: e.where(), obj: obj, name: e.nameAt(s, none, obj),
				text: "%s is used while a goroutine may already have put it"})
		}
	}
}

// usesArena notes an operation of an arena.
func (e *engine) usesArena(s *state, v value, x Operand) {
	e.uses(s, v, x, passed)
	for _, r := range v.refs {
		e.exposes = e.exposes || e.objects[e.base(r.obj)].outside
	}
	if e.thread != nil || v.bits&lost != 0 {
		return
	}
	for _, r := range v.refs {
		for _, t := range s.threads {
			if at := t.uses[r.obj]; at != nil && e.objects[r.obj].kind == anArena {
				e.fault(s, &candidate{kind: Share, at: e.where(), from: at, obj: r.obj, name: e.nameAt(s, x, r.obj), text: beside})
			}
		}
	}
}

const (
	eachRound = "each round of the loop starts a goroutine that uses the arena %s"
	beside    = "the arena %s is used here while the goroutine that began in line " + lineMark + " may use it"
	lineMark  = "$LINE"
)

// shares reports a goroutine that begins while another one uses the same arena.
func (e *engine) shares(s *state, in *Instr, t *thread, ordered bool) {
	if e.thread != nil {
		return
	}
	for _, o := range sortedKeys(t.uses) {
		if e.objects[o].kind != anArena || s.objs[o].lost || e.objects[o].aged {
			continue
		}
		for _, u := range s.threads {
			if u.uses[o] == nil || ordered && u.at != t.at {
				continue
			}
			c := &candidate{kind: Share, at: e.where(), from: u.uses[o], obj: o, name: e.nameAt(s, none, o)}
			if u.at == t.at {
				c.text = eachRound
			} else {
				c.at, c.text = t.uses[o], beside
			}
			e.fault(s, c)
		}
	}
	if ordered {
		// Among the workers that receive from one channel there is no order.
		s.runs(t)
	}
}

// runs adds a goroutine. One that began at the same place is taken for the same.
func (s *state) runs(t *thread) {
	s.threads = slices.Clone(s.threads)
	for i, u := range s.threads {
		if u.at == t.at {
			both := &thread{t.at, maps.Clone(u.uses), maps.Clone(u.puts)}
			maps.Copy(both.uses, t.uses)
			maps.Copy(both.puts, t.puts)
			s.threads[i] = both
			return
		}
	}
	s.threads = append(s.threads, t)
}

// passes notes the arguments of a call as used.
func (e *engine) passes(s *state, in *Instr, args []value) {
	for i, a := range args {
		x := none
		if i+1 < len(in.X) && len(args) == len(in.X)-1 {
			x = in.X[i+1]
		}
		var refs []ref
		for _, r := range a.refs {
			if e.objects[r.obj].kind == anArena && (s.objs[r.obj].dead != 0 || e.thread != nil) {
				continue // it is reported where the arena is used
			}
			refs = append(refs, r)
		}
		e.uses(s, value{refs: refs, bits: a.bits}, x, passed)
		e.usesList(s, a, passed)
	}
}

// usesList notes a use of the values of a variadic call.
func (e *engine) usesList(s *state, list value, how use) {
	for _, r := range list.refs {
		o := e.objects[r.obj]
		if v, ok := s.cells[cell{r.obj, r.path + elements}]; ok && !o.outside && o.typ == "" {
			e.uses(s, v, none, how)
		}
	}
}

// keepsStale notes a store of dead memory where it is reached later.
func (e *engine) keepsStale(s *state, at, v value, x Operand) {
	for _, r := range at.refs {
		if e.objects[r.obj].outside {
			e.uses(s, v, x, kept)
			return
		}
	}
}

// observe counts the state of all objects at a use.
func (e *engine) observe(s *state) {
	here := e.here()
	for o, st := range s.objs {
		if st.arena == 0 && st.dead == 0 && e.objects[o].kind != anArena && !st.pooled && !e.objects[o].outside {
			continue
		}
		key := fmt.Sprint(here, o)
		n := e.observed[key]
		if st.dead != 0 {
			n.dead++
		} else {
			n.alive++
		}
		e.observed[key] = n
	}
}

func (e *engine) fault(s *state, c *candidate) {
	if c.kind != Leak && e.thread != nil && c.kind != Use {
		return
	}
	d := 0
	if c.death != nil {
		d = c.death.id
	}
	key := fmt.Sprint(c.kind, keyOf(c.at), keyOf(c.from), c.obj, d, c.text)
	if e.candidates[key] == nil {
		e.candidates[key] = c
	}
}

// dies returns the death that the current instruction causes.
func (e *engine) dies(how ending, of int) *death {
	key := fmt.Sprint(e.here(), how, of)
	if id, ok := e.byDeath[key]; ok {
		return e.deaths[id-1]
	}
	d := &death{id: len(e.deaths) + 1, how: how, at: e.where(), of: of}
	for _, p := range e.stack {
		d.late = d.late || p.late
	}
	e.deaths = append(e.deaths, d)
	e.byDeath[key] = d.id
	return d
}

// ends ends the memory of an arena. If mark is set, only what was made after that
// checkpoint.
func (e *engine) ends(s *state, v value, x Operand, how ending, mark int) {
	for _, r := range v.refs {
		e.exposes = e.exposes || e.objects[e.base(r.obj)].outside
	}
	if len(v.refs) != 1 || v.bits&(lost|many) != 0 || e.objects[v.refs[0].obj].aged {
		for _, r := range v.refs {
			st := s.objs[r.obj]
			st.own, st.lost = false, true
			s.objs[r.obj] = st
		}
		return
	}
	a := v.refs[0].obj
	st := s.objs[a]
	if e.thread != nil {
		e.uses(s, v, x, passed)
		e.thread.puts[a] = true
	}
	e.observe(s)
	if st.dead != 0 && !st.lost {
		e.fault(s, &candidate{kind: Use, use: ended, at: e.where(), death: e.deaths[st.dead-1], obj: a, name: e.nameAt(s, x, a)})
		return
	}
	d := e.dies(how, a)
	if e.thread == nil {
		e.endsBeside(s, d, a, v, x)
	}
	for o, st := range s.objs {
		if st.arena != a || st.dead != 0 {
			continue
		}
		switch {
		case how == rewound && !slices.Contains(st.marks, mark):
			continue
		case how != freed && e.objects[o].slab:
			continue
		}
		st.dead = d.id
		s.objs[o] = st
	}
	if how == freed {
		st.dead, st.own = d.id, false
		s.objs[a] = st
	}
}

// endsBeside reports goroutines that may use the memory of an arena that ends, and
// values that were sent.
func (e *engine) endsBeside(s *state, d *death, a int, v value, x Operand) {
	for _, t := range s.threads {
		if at := t.uses[a]; at != nil {
			e.fault(s, &candidate{kind: Share, at: e.where(), from: at, obj: a, name: e.nameAt(s, x, a), text: beside})
			continue
		}
		for _, o := range sortedKeys(t.uses) {
			if s.objs[o].arena == a && e.ofPath(s, d, o) {
				e.fault(s, &candidate{kind: Escape, at: e.where(), from: t.uses[o], death: d, obj: o, name: e.nameAt(s, none, o),
					text: "a goroutine uses " + varMark + ", memory of the arena %s, which ends in this function"})
			}
		}
	}
	for r, at := range s.sent {
		if s.objs[r.obj].arena == a && e.ofPath(s, d, r.obj) {
			e.fault(s, &candidate{kind: Escape, at: e.where(), from: at, death: d, obj: r.obj,
				text: "memory of the arena %s is sent on a channel, but %[2]s ends in this function"})
		}
	}
}

const varMark = "$VAR"

// ofPath reports whether a death concerns an object that is alive.
func (e *engine) ofPath(s *state, d *death, obj int) bool {
	return d.how != rewound && !(d.how != freed && e.objects[obj].slab)
}

// puts ends a value of a pool.
func (e *engine) puts(s *state, v value, x Operand) {
	for _, r := range v.refs {
		e.exposes = e.exposes || e.objects[e.base(r.obj)].outside
	}
	if v.bits&(lost|many) != 0 || len(v.refs) != 1 || e.objects[v.refs[0].obj].kind == copied || e.objects[v.refs[0].obj].aged {
		return
	}
	r := v.refs[0]
	all := map[int]bool{}
	o := e.objects[r.obj]
	if r.path == "" {
		all[r.obj] = true
	}
	content := s.cells[cell(r)]
	if r.path != "" {
		content = e.content(s, r, Reference, "", 0)
	}
	if r.path != "" || !strings.Contains(o.typ, ".") || o.typ == "" {
		if len(content.refs) == 1 && content.bits&lost == 0 {
			all[content.refs[0].obj] = true
		}
	}
	for o := range e.reach(s, v) {
		if s.objs[o].pooled && e.objects[o].of != nil {
			all[o] = true
		}
	}
	for o := range all {
		e.exposes = e.exposes || e.objects[e.base(o)].outside
	}
	if e.thread != nil {
		e.uses(s, v, x, passed)
		for o := range all {
			e.thread.puts[o] = true
		}
	}
	e.observe(s)
	if st := s.objs[r.obj]; r.path == "" && st.dead != 0 && !st.lost {
		e.fault(s, &candidate{kind: Pool, use: ended, at: e.where(), death: e.deaths[st.dead-1], obj: r.obj, name: e.nameAt(s, x, r.obj)})
		return
	}
	d := e.dies(put, r.obj)
	for _, o := range slices.Sorted(maps.Keys(all)) {
		if e.thread == nil {
			for _, t := range s.threads {
				if at := t.uses[o]; at != nil {
					e.fault(s, &candidate{kind: Pool, at: e.where(), from: at, obj: o, name: e.nameAt(s, x, o),
						text: "%s is put into the pool while a goroutine may still use it"})
				}
			}
			for r, at := range s.sent {
				if r.obj == o {
					e.fault(s, &candidate{kind: Pool, at: e.where(), from: at, obj: o, name: e.nameAt(s, x, o),
						text: "%s is put into the pool after it was sent on a channel"})
				}
			}
		}
		st := s.objs[o]
		st.dead = d.id
		s.objs[o] = st
	}
}

// send notes what is sent on a channel.
func (e *engine) send(s *state, channel, x Operand) {
	v := e.operand(s, x)
	at := e.operand(s, channel)
	e.uses(s, v, x, kept)
	e.held(s, v)
	if e.thread == nil {
		for o := range e.reach(s, v) {
			if _, ok := s.objs[o]; ok {
				s.sent[ref{o, ""}] = e.where()
			}
		}
	} else {
		e.excludes = true
	}
	for _, r := range at.refs {
		if !e.objects[r.obj].outside {
			e.store(s, to(r).at(elements), v, Reference)
		}
	}
}

// selected follows the sends and receives of a select statement, one of which happens.
func (e *engine) selected(s *state, in *Instr) {
	for i := 1; i < len(in.X); i += 2 {
		e.held(s, e.operand(s, in.X[i]))
	}
	v := value{parts: []value{e.opaque(s), e.opaque(s)}}
	for range in.Number {
		v.parts = append(v.parts, value{bits: other})
	}
	e.set(s, in.Dst, v)
}

// held notes that the arenas that a value leads to may be freed by others.
func (e *engine) held(s *state, v value) {
	for o := range e.reach(s, v) {
		if st := s.objs[o]; st.own {
			st.own = false
			s.objs[o] = st
		}
	}
}
