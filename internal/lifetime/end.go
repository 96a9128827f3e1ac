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
	sliced // a part is taken, which reads nothing
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
	// loaned is set if a function value was given the arena that is not freed. It is a
	// fault only if another path frees the arena after that.
	loaned bool
	list   bool   // the memory is an element of what is used
	needs  string // what another function has to do for this to be a fault
	thread string // the goroutine beside which the arena ends
	field  string // the field of its holder in which an arena lies
	// elsewhere is the use of a field in another function, after the end at the place at.
	elsewhere *Instr
}

// An occasion is a use of an object.
type occasion struct {
	at  *trail
	obj int
}

// An observation counts the states in which an object was dead or alive at a use.
type observation struct{ dead, alive int }

// uses notes a use of what a value refers to.
func (e *engine) uses(s *state, v value, x Operand, how use) {
	if len(v.refs) == 0 {
		return
	}
	e.observe(s)
	e.usesBelow(s, v, x, how, nil)
}

// usesBelow is uses for a value that the objects above hold, one in the other. In a loop, an
// object may hold itself as it was before.
func (e *engine) usesBelow(s *state, v value, x Operand, how use, above []int) {
	if e.coarse && v.bits&lost != 0 {
		return
	}
	for _, r := range v.refs {
		if slices.Contains(above, r.obj) {
			continue
		}
		if held, ok := s.cells[cell{r.obj, ".%held"}]; ok && e.objects[r.obj].typ == "?" && how != kept {
			e.usesBelow(s, held, x, how, append(slices.Clone(above), r.obj))
		}
		if how == passed {
			if v, ok := s.cells[cell{r.obj, r.path + content}]; ok {
				e.usesBelow(s, v, x, passed, append(slices.Clone(above), r.obj))
			}
		}
		st := s.objs[r.obj]
		e.inThread(s, r.obj, st)
		if st.dead == 0 || st.lost || v.bits&lost != 0 {
			continue
		}
		kind, d := Use, e.deaths[st.dead-1]
		if how == sliced && d.how != put {
			continue
		}
		if d.how == put {
			kind = Pool
		}
		e.fault(s, &candidate{kind: kind, use: how, at: e.where(), death: d, obj: r.obj, name: e.nameAt(s, x, r.obj)})
	}
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

// usesList notes a use of the elements of lists, such as the values of a variadic call.
func (e *engine) usesList(s *state, list value, how use) {
	for _, r := range list.refs {
		o := e.objects[r.obj]
		if o.outside || o.kind != memory || s.objs[r.obj].dead != 0 {
			continue
		}
		var paths []string
		for c, v := range s.cells {
			if c.obj == r.obj && strings.HasPrefix(c.path, r.path+elements) && !strings.HasSuffix(c.path, whole) && len(v.refs) > 0 {
				paths = append(paths, c.path)
			}
		}
		slices.Sort(paths)
		for _, path := range paths {
			e.uses(s, s.cells[cell{r.obj, path}], none, how)
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
	here := e.trail(e.stack)
	for o, st := range s.objs {
		if st.arena == 0 && st.dead == 0 && e.objects[o].kind != anArena && !st.pooled && !e.objects[o].outside {
			continue
		}
		key := occasion{here, o}
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
	if e.thread != nil && (c.kind == Share || c.kind == Pool) {
		return // it may have its order from the function that began the goroutine
	}
	// The states that became one may have had the same arena in different goroutines. In the
	// fewest states, a field may also have the memory of an arena that only another path ends.
	beside := len(s.threads) > 0 || len(s.sent) > 0
	if s.blurred && (c.kind == Share || c.kind == Escape && (e.coarse || beside)) {
		return
	}
	d := 0
	if c.death != nil {
		d = c.death.id
	}
	key := fmt.Sprint(c.kind, keyOf(c.at), keyOf(c.from), c.obj, d, c.text)
	if !e.known[key] {
		e.known[key] = true
		e.candidates = append(e.candidates, c)
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
	if len(v.refs) != 1 || v.bits&(lost|many) != 0 || e.objects[v.refs[0].obj].aged && v.bits&each == 0 {
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
		e.thread.puts[a] = e.thread.puts[a] || !st.lost
		if s.order == free && how != rewound && !st.lost {
			e.thread.ends[a] = e.access(s, a, true)
		}
	}
	e.observe(s)
	if st.dead != 0 && !st.lost {
		e.fault(s, &candidate{kind: Use, use: ended, at: e.where(), death: e.deaths[st.dead-1], obj: a,
			name: e.nameAt(s, x, a)})
		return
	}
	if how != rewound {
		e.lodgers(s, a)
	}
	d := e.dies(how, a)
	e.endsBeside(s, d, a, x)
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
		e.reclaimed[a] = e.reclaimed[a] || st.loaned && e.surelyBelow(e.stack, 0)
		st.dead, st.own = d.id, false
		s.objs[a] = st
	}
}

// puts ends a value of a pool.
func (e *engine) puts(s *state, v value, x Operand) {
	for _, r := range v.refs {
		e.exposes = e.exposes || e.objects[e.base(r.obj)].outside
	}
	if v.bits&lost != 0 || len(v.refs) != 1 || e.objects[v.refs[0].obj].kind == copied ||
		e.objects[v.refs[0].obj].aged && v.bits&each == 0 || v.bits&many != 0 && !e.ranged(s, v.refs[0].obj) {
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
	part := func(r ref) bool { return s.objs[r.obj].pooled && e.objects[r.obj].of != nil }
	sole := func(c cell, v value) bool { // one of several parts is not known to be put
		i := slices.IndexFunc(v.refs, part)
		return isContent(c) && v.bits&lost == 0 && !slices.ContainsFunc(v.refs[i+1:], part)
	}
	for o := range e.reachBy(s, sole, []value{v}) {
		if part(ref{o, ""}) {
			all[o] = true
		}
	}
	for o := range all {
		e.exposes = e.exposes || e.objects[e.base(o)].outside
	}
	if e.thread != nil {
		e.uses(s, v, x, passed)
		for o := range all {
			e.thread.puts[o] = e.thread.puts[o] || !s.objs[o].lost
		}
	}
	e.observe(s)
	if st := s.objs[r.obj]; r.path == "" && st.dead != 0 && !st.lost {
		e.fault(s, &candidate{kind: Pool, use: ended, at: e.where(), death: e.deaths[st.dead-1], obj: r.obj,
			name: e.nameAt(s, x, r.obj)})
		return
	}
	d := e.dies(put, r.obj)
	for _, o := range slices.Sorted(maps.Keys(all)) {
		if e.thread == nil && !s.objs[o].lost {
			for _, t := range s.threads {
				if u, ok := t.uses[o]; ok && !u.worker {
					e.fault(s, &candidate{kind: Pool, at: e.where(), from: u.at, obj: o, name: e.nameAt(s, x, o),
						text: putBeside})
				}
			}
			for _, r := range s.sortedSent() {
				if r.obj == o {
					c := &candidate{kind: Pool, at: e.where(), from: s.sent[r], obj: o, name: e.nameAt(s, x, o),
						text: "%s is put into the pool after it was sent on a channel"}
					if c.from[len(c.from)-1].in.Op == Call {
						c.text = "%s is put into the pool, but the transport of the HTTP request may still read it"
					} else if d.late {
						c.at, c.text = c.from, "%s is sent on a channel, but the deferred Put gives it back to the pool"
					}
					e.fault(s, c)
				}
			}
		}
		st := s.objs[o]
		st.dead = d.id
		s.objs[o] = st
		e.endsElement(s, o, d)
	}
}

// held notes that the arenas that a value leads to may be freed by others.
func (e *engine) held(s *state, v value) {
	e.heldBy(s, v, func(c cell, _ value) bool { return isContent(c) })
}

// heldBy is held for the arenas to which cells lead that count.
func (e *engine) heldBy(s *state, v value, counts func(cell, value) bool) {
	for o := range e.reachBy(s, counts, []value{v}) {
		if st := s.objs[o]; st.own {
			st.own = false
			s.objs[o] = st
		}
	}
}

// mayFree leaves out the fields in which memory of an arena has the arena itself, if the package
// has the type and never frees the arena of such a field.
func (e *engine) mayFree(s *state) func(cell, value) bool {
	return func(c cell, v value) bool {
		typ, arena := e.objects[c.obj].typ, s.objs[c.obj].arena
		return isContent(c) && (arena == 0 || len(v.refs) != 1 || v.refs[0].obj != arena ||
			!strings.HasPrefix(typ, e.program.pass.Pkg.Path()+".") || e.program.survey.frees[typ+c.path] ||
			e.program.closer(typ) != "")
	}
}
