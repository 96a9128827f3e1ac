package lifetime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A thread is a goroutine that may still run.
type thread struct {
	at      string // the instruction that began it
	uses    map[int]access
	fields  map[ref]access  // the same for single fields of arena memory
	puts    map[int]bool    // the objects that it ends
	ends    map[int]access  // the arenas among them, before it waits for anything
	signals map[string]bool // the channels, wait groups and locks by which others learn how far it is
	begun   map[int]bool    // the objects that it makes itself
	// added are the wait groups to which only the goroutine itself adds itself, so that
	// nobody surely waits for it.
	added map[string]bool
	blind bool // it calls unknown code, which may signal others
	// sent is set if it has sent a value, and continues if it uses arenas after that.
	sent, continues bool
	repeated        bool // a loop begins several
}

// An access is a use by a goroutine.
type access struct {
	at     []point
	locks  []string // the locks that were held
	worker bool     // it follows a receive, as in a worker that waits for its jobs
	write  bool
}

func newThread(at string) *thread {
	return &thread{
		at: at, uses: map[int]access{}, fields: map[ref]access{}, puts: map[int]bool{}, ends: map[int]access{}, signals: map[string]bool{}, begun: map[int]bool{},
		added: map[string]bool{},
	}
}

func (t *thread) clone() *thread {
	c := *t
	c.uses, c.fields = maps.Clone(t.uses), maps.Clone(t.fields)
	c.puts, c.ends, c.signals = maps.Clone(t.puts), maps.Clone(t.ends), maps.Clone(t.signals)
	return &c
}

// An ordering is what a goroutine has waited for.
type ordering uint8

const (
	free    ordering = iota // nothing, so it runs beside the function that began it
	worker                  // a value of a channel
	ordered                 // something that may follow the end of the others
)

// better reports whether an access says more about a fault than another one.
func (a access) better(b access) bool {
	if a.worker != b.worker {
		return b.worker
	}
	if (len(a.locks) == 0) != (len(b.locks) == 0) {
		return len(a.locks) == 0
	}
	return a.write && !b.write
}

// access is the current instruction as an access.
func (e *engine) access(s *state, obj int, write bool) access {
	return access{at: e.where(), locks: e.locksOf(s, obj), worker: s.order == worker, write: write}
}

// runs adds a goroutine. One that began at the same place is taken for the same.
func (s *state) runs(t *thread) {
	s.threads = slices.Clone(s.threads)
	for i, u := range s.threads {
		if u.at != t.at {
			continue
		}
		both := u.clone()
		for o, a := range t.uses {
			if old, ok := both.uses[o]; !ok || a.better(old) {
				both.uses[o] = a
			}
		}
		maps.Copy(both.fields, t.fields)
		maps.Copy(both.puts, t.puts)
		maps.Copy(both.ends, t.ends)
		maps.Copy(both.signals, t.signals)
		both.blind, both.continues, both.repeated = both.blind || t.blind, both.continues || t.continues, true
		s.threads[i] = both
		return
	}
	s.threads = append(s.threads, t)
}

// sendsOn returns the goroutine as it is for the receiver of one of its values, if it goes
// on with arenas: the receiver has the memory that it has used so far.
func (t *thread) sendsOn(e *engine) *thread {
	n := t.clone()
	n.fields = map[ref]access{}
	maps.DeleteFunc(n.uses, func(o int, _ access) bool { return e.objects[o].kind != anArena })
	n.puts, n.ends = map[int]bool{}, map[int]access{}
	return n
}

// rename makes references of a goroutine to one object refer to another one.
func (t *thread) rename(from, into int) *thread {
	n := t.clone()
	if a, ok := n.uses[from]; ok {
		delete(n.uses, from)
		n.uses[into] = a
	}
	if n.puts[from] {
		delete(n.puts, from)
		n.puts[into] = true
	}
	if a, ok := n.ends[from]; ok {
		delete(n.ends, from)
		n.ends[into] = a
	}
	for r, a := range t.fields {
		if r.obj == from {
			delete(n.fields, r)
			n.fields[ref{into, r.path}] = a
		}
	}
	old, now := fmt.Sprint(from), fmt.Sprint(into)
	for by := range t.signals {
		if path, ok := strings.CutPrefix(by, old); ok && (path == "" || path[0] < '0' || path[0] > '9') {
			delete(n.signals, by)
			n.signals[now+path] = true
		}
	}
	return n
}

// goes follows a goroutine, and notes what it may do beside the function that began it.
// The group is the wait group that waits for it, if there is one.
func (e *engine) goes(s *state, in *Instr, fn value, name string, args []value, group value) {
	if name != "" && !in.Flag {
		e.passes(s, in, args)
	}
	outer, stack := e.thread, e.where()
	t := newThread(e.here())
	e.thread = t
	e.signals(group)
	s2 := s.clone()
	s2.threads, s2.sent, s2.locks, s2.order = nil, map[ref][]point{}, nil, free
	after := e.call(s2, in, fn, name, args, none)
	e.stack = stack
	maps.DeleteFunc(t.uses, func(o int, _ access) bool { return t.begun[o] })
	maps.DeleteFunc(t.uses, func(o int, _ access) bool { _, had := s.objs[o]; return !had && !e.objects[o].outside })
	e.thread = outer
	for _, o := range e.reached(s, append(slices.Clone(args), fn)...) {
		st := s.objs[o]
		st.own = false
		s.objs[o] = st
	}
	for _, x := range after {
		e.abandoned(s, x)
		e.keeps(x)
		e.merge(s, x)
	}
	if outer != nil { // what it begins runs beside the others too
		if s.order != ordered {
			for o, a := range t.uses {
				if _, had := outer.uses[o]; !had {
					outer.uses[o] = a
				}
			}
			maps.Copy(outer.puts, t.puts)
		}
		return
	}
	if len(t.uses) == 0 {
		return
	}
	e.shares(s, t)
	e.unlocked(s, t)
	s.runs(t)
}

// abandoned reports arenas that a goroutine begins and neither frees nor gives away.
func (e *engine) abandoned(s, after *state) {
	values := []value{}
	for _, f := range after.frames {
		values = f.values(values)
	}
	for c, v := range after.cells {
		_, had := s.objs[c.obj]
		if (had || e.objects[c.obj].outside) && !strings.HasSuffix(c.path, whole) {
			values = append(values, v)
		}
	}
	kept := e.reach(after, values...)
	for _, o := range sortedKeys(after.objs) {
		st := after.objs[o]
		_, had := s.objs[o]
		if !had && e.objects[o].kind == anArena && st.own && st.dead == 0 && !st.lost && !kept[o] &&
			!e.objects[o].aged {
			e.leak(s, e.objects[o], e.where())
		}
	}
}

// merge puts what a goroutine stores into memory that others have.
func (e *engine) merge(s, after *state) {
	for _, c := range after.sortedCells() {
		v := after.cells[c]
		old, had := s.cells[c]
		if had && equal(old, v) || !had && len(v.refs) == 0 || e.objects[c.obj].kind == closure {
			continue
		}
		for _, r := range v.refs {
			if _, ok := s.objs[r.obj]; !ok {
				st := after.objs[r.obj]
				st.own = false
				s.objs[r.obj] = st
			}
		}
		s.cells[c] = union(old, v)
		if at := after.origin[c]; at != nil {
			s.origin[c] = at
		}
	}
}
