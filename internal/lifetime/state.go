package lifetime

import (
	"maps"
	"slices"
)

// An object is memory, an arena, or a function with its variables.
type object struct {
	id   int
	key  string
	kind kind
	typ  string
	code string // the function of a closure
	// outside is set for memory that was there before the call, or outlives it.
	outside bool
	// of is the memory that a struct was copied from, or whose contents it is.
	of      *ref
	old     *object // stands for the object of earlier iterations
	aged    bool    // is such an object
	at      []point // the instruction that made it
	name    string
	slab    bool
	roomy   bool // a Buffer that was made with a size that is no constant
	answer  bool // the response of a handler, which may lie in the arena of its context
	taken   bool // it came out of a container, with contents that are not known
	list    bool // the array of a list in the source, whose elements are stored once
	element bool // an element of memory from outside, another one each time
	// holder is the type of a struct that has held the arena, in a field.
	holder, field string
	// owner is the arena in which the object was made.
	owner int
	// capacity is the capacity of a channel, if it is a constant.
	capacity string
}

type kind uint8

const (
	memory kind = iota
	anArena
	closure
	copied     // a struct that is no variable
	checkpoint //
)

// A status is what is known about an object in a state.
type status struct {
	dead   int   // a death, 0 if it is alive
	lost   bool  // what happened to it is not known
	arena  int   // the arena whose memory it is, 0 if none
	marks  []int // the checkpoints that were taken before it was made
	own    bool  // an arena that has to be freed
	loaned bool  // an arena that a function value was given, which may free it
	pooled bool  // it came from a sync.Pool, or is part of one that did
}

// A death is the end of memory.
type death struct {
	id   int
	how  ending
	at   []point
	late bool // it was in a deferred call
	of   int  // the arena or the pooled value that ended
}

type ending uint8

const (
	freed ending = iota + 1
	reset
	rewound
	put
)

type cell struct {
	obj  int
	path string
}

type deferral struct {
	in   *Instr
	args []value
	key  string
}

type frame struct {
	code *Code
	args []value
	ctx  string
	// regs has nil for an empty value. The values are shared with other states.
	regs   []*value
	defers []deferral
}

// A state is what holds at one place of a path.
type state struct {
	frames  []*frame
	cells   map[cell]value
	origin  map[cell][]point // the store that put a reference into a cell
	objs    map[int]status
	conds   map[int]bool
	threads []*thread
	sent    map[ref][]point
	locks   []string // sorted
	order   ordering
	// blurred is set if several states of a function that takes too long have become this one.
	blurred bool
}

func newState() *state {
	return &state{
		cells: map[cell]value{}, origin: map[cell][]point{}, objs: map[int]status{}, conds: map[int]bool{}, sent: map[ref][]point{},
	}
}

func (s *state) top() *frame { return s.frames[len(s.frames)-1] }

// ownTop makes a copy of the frame on top. The frames below are shared with other
// states, and not changed.
func (s *state) ownTop() {
	if n := len(s.frames); n > 0 {
		s.frames[n-1] = s.frames[n-1].clone()
	}
}

// reg is the value of a register.
func (f *frame) reg(r Operand) value {
	if v := f.regs[r]; v != nil {
		return *v
	}
	return value{}
}

func (f *frame) put(r Operand, v value) {
	if v.empty() {
		f.regs[r] = nil
	} else {
		f.regs[r] = &v
	}
}

// values appends the values of the registers.
func (f *frame) values(all []value) []value {
	for _, v := range f.regs {
		if v != nil {
			all = append(all, *v)
		}
	}
	return all
}

func (f *frame) clone() *frame {
	return &frame{code: f.code, args: f.args, ctx: f.ctx, regs: slices.Clone(f.regs), defers: slices.Clone(f.defers)}
}

func (s *state) clone() *state {
	c := &state{
		cells: maps.Clone(s.cells), origin: maps.Clone(s.origin), objs: maps.Clone(s.objs), conds: maps.Clone(s.conds),
		threads: slices.Clone(s.threads), sent: maps.Clone(s.sent),
		locks: s.locks, order: s.order, blurred: s.blurred,
	}
	c.frames = slices.Clone(s.frames)
	c.ownTop()
	return c
}

// prune forgets what no later instruction reads.
func (e *engine) prune(s *state, block int) {
	f := s.top()
	for r, live := range f.code.live[block] {
		if !live {
			f.regs[r] = nil
		}
	}
	if len(s.conds) > 0 {
		used := map[int]bool{}
		var note func(v value)
		note = func(v value) {
			used[v.sym] = true
			for _, r := range v.refs {
				used[e.nils[r]] = true
			}
			for _, p := range v.parts {
				note(p)
			}
		}
		for _, f := range s.frames {
			for _, v := range f.regs {
				if v != nil {
					note(*v)
				}
			}
			for _, d := range f.defers {
				for _, v := range d.args {
					note(v)
				}
			}
		}
		for _, v := range s.cells {
			note(v)
		}
		for c := range s.conds {
			if !used[c] && !slices.ContainsFunc(e.bases[c], func(b int) bool { return used[b] }) {
				delete(s.conds, c)
			}
		}
	}
}

// join makes s hold what either state may hold. The fates of their objects are the
// same.
func (s *state) join(o *state) {
	f, from := s.top(), o.top()
	for r := range f.regs {
		if f.regs[r] == from.regs[r] || equal(f.reg(Operand(r)), from.reg(Operand(r))) {
			continue
		}
		f.put(Operand(r), union(f.reg(Operand(r)), from.reg(Operand(r))))
	}
	for c, v := range o.cells {
		if old, ok := s.cells[c]; ok {
			if !equal(old, v) {
				s.cells[c] = union(old, v)
			}
			if s.origin[c] == nil && o.origin[c] != nil { // only one of them has stored it
				s.origin[c] = o.origin[c]
			}
		} else {
			v.bits |= lost
			s.cells[c] = v
			s.origin[c] = o.origin[c]
		}
	}
	for c, v := range s.cells {
		if _, ok := o.cells[c]; !ok {
			v.bits |= lost
			s.cells[c] = v
		}
	}
	maps.DeleteFunc(s.conds, func(c int, v bool) bool { w, ok := o.conds[c]; return !ok || w != v })
}

// rename makes references to one object refer to another one.
func (s *state) rename(from, into int) {
	var change func(v value) value
	change = func(v value) value {
		if slices.ContainsFunc(v.refs, func(r ref) bool { return r.obj == from }) {
			refs := slices.Clone(v.refs)
			for i := range refs {
				if refs[i].obj == from {
					refs[i].obj = into
				}
			}
			v.refs = to(refs...).refs
		}
		for i, p := range v.parts {
			if q := change(p); !equal(p, q) {
				v.parts = slices.Clone(v.parts)
				v.parts[i] = q
			}
		}
		return v
	}
	for i := range s.frames {
		f := s.frames[i].clone()
		s.frames[i] = f
		for i, v := range f.regs {
			if v != nil {
				f.put(Operand(i), change(*v))
			}
		}
		for i, d := range f.defers {
			args := slices.Clone(d.args)
			for j := range args {
				args[j] = change(args[j])
			}
			f.defers[i].args = args
		}
	}
	if old, had := s.objs[into]; had && old.dead != 0 && s.objs[from].dead == 0 {
		for c := range s.cells { // nobody may read them
			if c.obj == into {
				delete(s.cells, c)
				delete(s.origin, c)
			}
		}
	}
	moved := map[cell]value{}
	for c, v := range s.cells {
		v = change(v)
		if c.obj == from {
			delete(s.cells, c)
			moved[cell{into, c.path}] = v
			if at := s.origin[c]; at != nil {
				s.origin[cell{into, c.path}] = at
			}
			delete(s.origin, c)
			continue
		}
		s.cells[c] = v
	}
	for c, v := range moved {
		s.cells[c] = union(s.cells[c], v)
	}
	for r, at := range s.sent {
		if r.obj == from {
			delete(s.sent, r)
			s.sent[ref{into, r.path}] = at
		}
	}
	for o, st := range s.objs {
		if st.arena == from {
			st.arena = into
			s.objs[o] = st
		}
	}
	for i, t := range s.threads {
		s.threads[i] = t.rename(from, into)
	}
	st, ok := s.objs[from]
	if !ok {
		return
	}
	delete(s.objs, from)
	old, had := s.objs[into]
	st.lost = st.lost || had && old.lost
	if had && ((old.dead == 0) != (st.dead == 0) || old.arena != st.arena) {
		st.lost, st.dead = true, 0
	} else if had && old.dead != 0 && st.dead != old.dead {
		st.dead = min(old.dead, st.dead)
	}
	st.own = st.own && st.dead == 0
	s.objs[into] = st
}
