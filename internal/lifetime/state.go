package lifetime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
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
	of   *ref
	old  *object // stands for the object of earlier iterations
	aged bool    // is such an object
	at   []point // the instruction that made it
	name string
	slab bool
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

// A thread is a goroutine that may still run.
type thread struct {
	at   string
	uses map[int][]point // the objects that it uses, and where first
	puts map[int]bool    // the objects that it ends
}

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
	code   *Code
	ctx    string
	regs   []value
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
}

func newState() *state {
	return &state{
		cells: map[cell]value{}, origin: map[cell][]point{}, objs: map[int]status{}, conds: map[int]bool{}, sent: map[ref][]point{},
	}
}

func (s *state) top() *frame { return s.frames[len(s.frames)-1] }

func (s *state) clone() *state {
	c := &state{
		cells: maps.Clone(s.cells), origin: maps.Clone(s.origin), objs: maps.Clone(s.objs), conds: maps.Clone(s.conds),
		threads: slices.Clone(s.threads), sent: maps.Clone(s.sent),
	}
	for _, f := range s.frames {
		c.frames = append(c.frames, &frame{code: f.code, ctx: f.ctx, regs: slices.Clone(f.regs), defers: slices.Clone(f.defers)})
	}
	return c
}

// prune forgets what no later instruction reads.
func (e *engine) prune(s *state, block int) {
	f := s.top()
	for r, live := range f.code.live[block] {
		if !live {
			f.regs[r] = value{}
		}
	}
	if len(s.conds) > 0 {
		used := map[int]bool{}
		var note func(v value)
		note = func(v value) {
			used[v.sym] = true
			for _, r := range v.refs {
				used[e.nilness(r)] = true
			}
			for _, p := range v.parts {
				note(p)
			}
		}
		for _, f := range s.frames {
			for _, v := range f.regs {
				note(v)
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

// key is the text of a state: equal states have equal keys.
func (s *state) key() string {
	var b strings.Builder
	for _, f := range s.frames {
		for i, v := range f.regs {
			if !v.empty() {
				fmt.Fprintf(&b, "%d%s ", i, v.text())
			}
		}
		for _, d := range f.defers {
			b.WriteString(d.key)
			for _, v := range d.args {
				b.WriteString(v.text())
			}
		}
		b.WriteByte('/')
	}
	lines := make([]string, 0, len(s.cells)+len(s.objs)+len(s.conds))
	for c, v := range s.cells {
		lines = append(lines, fmt.Sprint("c", c.obj, c.path, "=", v.text()))
	}
	lines = append(lines, s.statuses()...)
	for c, v := range s.conds {
		lines = append(lines, fmt.Sprint("?", c, v))
	}
	slices.Sort(lines)
	b.WriteString(strings.Join(lines, ";"))
	return b.String()
}

// statuses are the texts of the objects' fates.
func (s *state) statuses() []string {
	var lines []string
	for o, st := range s.objs {
		lines = append(lines, fmt.Sprint("o", o, ":", st.dead, st.lost, st.arena, st.marks, st.own, st.pooled))
	}
	for _, t := range s.threads {
		lines = append(lines, "t"+t.at)
	}
	for r := range s.sent {
		lines = append(lines, fmt.Sprint("s", r))
	}
	slices.Sort(lines)
	return lines
}

func (v value) text() string {
	if v.empty() {
		return "-"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v/%d/%d%s", v.refs, v.bits, v.sym, v.num)
	for _, p := range v.parts {
		b.WriteString("(" + p.text() + ")")
	}
	return b.String()
}

// join makes s hold what either state may hold. The fates of their objects are the
// same.
func (s *state) join(o *state) {
	for i, f := range s.frames {
		for r := range f.regs {
			f.regs[r] = union(f.regs[r], o.frames[i].regs[r])
		}
	}
	for c, v := range o.cells {
		if old, ok := s.cells[c]; ok {
			s.cells[c] = union(old, v)
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
	for _, f := range s.frames {
		for i, v := range f.regs {
			f.regs[i] = change(v)
		}
		for i, d := range f.defers {
			args := slices.Clone(d.args)
			for j := range args {
				args[j] = change(args[j])
			}
			f.defers[i].args = args
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
		if at, ok := t.uses[from]; ok {
			n := &thread{t.at, maps.Clone(t.uses), maps.Clone(t.puts)}
			delete(n.uses, from)
			n.uses[into] = at
			if n.puts[from] {
				delete(n.puts, from)
				n.puts[into] = true
			}
			s.threads[i] = n
		}
	}
	st, ok := s.objs[from]
	if !ok {
		return
	}
	delete(s.objs, from)
	if old, had := s.objs[into]; had && (old.dead == 0) != (st.dead == 0) {
		st.lost, st.dead = true, 0
	} else if had && old.dead != 0 && st.dead != old.dead {
		st.dead = min(old.dead, st.dead)
	}
	st.own = st.own && st.dead == 0
	s.objs[into] = st
}
