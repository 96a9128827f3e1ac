package lifetime

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// frees notes the field whose arena a call frees, and the fields that hold it.
func (sv *survey) freed(c *Code, in *Instr) {
	if !isFree(in.Name) || len(in.X) < 2 {
		return
	}
	load := c.definition(in.X[1])
	if load == nil || load.Op != Load {
		return
	}
	if field := c.definition(load.X[0]); field != nil && field.Op == Field && field.Type != "" {
		sv.frees[field.Type+field.Name] = true
	}
	place := c.placeOf(load.X[0])
	for strings.Contains(place, ".") {
		sv.frees[place] = true
		place = place[:strings.LastIndexByte(place, '.')]
	}
}

// isFree reports whether a function's name is the one of an arena's Free.
func isFree(name string) bool { return strings.HasSuffix(name, "arena.Arena).Free") }

// arenaIn is the path of the arena in a type that the package frees, "" if there is none.
func (sv *survey) arenaIn(typ string) string {
	var paths []string
	for place := range sv.frees {
		if path, ok := strings.CutPrefix(place, typ+"."); ok && !strings.Contains(path, ".") {
			paths = append(paths, "."+path)
		}
	}
	if len(paths) == 0 || typ == "" {
		return ""
	}
	return slices.Min(paths)
}

// overwrites reports a field with an arena that gets the value of another field of the
// same owner, or a second arena although nobody has looked at the first one, which is there: a
// constructor has set it, or the function has used memory in it.
func (e *engine) overwrites(s *state, r ref, v value) {
	o := e.objects[r.obj]
	if !o.outside || o.typ == "" || r.path == "" || len(v.refs) != 1 || e.thread != nil ||
		!e.program.survey.frees[o.typ+r.path] {
		return
	}
	from := e.objects[v.refs[0].obj].of
	if w := s.cells[cell{v.refs[0].obj, whole}]; len(w.refs) == 1 {
		from = &w.refs[0]
	}
	isMade := e.program.survey.constructed[o.typ+r.path] && e.root.isExportedMethod() &&
		o.key == parameterKey(0, e.root.Params[0]) || e.usesLodger(s, r)
	isMoved := from != nil && from.obj == r.obj && from.path != r.path && !e.program.survey.cleared[o.typ+r.path]
	if !isMoved && !(s.objs[v.refs[0].obj].own && isMade) {
		return
	}
	for c, w := range s.cells {
		own := c.obj == r.obj && (c.path == r.path || strings.HasPrefix(c.path, r.path+"."))
		if own && (e.looked[c] || !e.isUntouched(s, c)) || c.path == whole && slices.Contains(w.refs, r) {
			return
		}
	}
	e.fault(s, &candidate{kind: Leak, at: e.where(), from: e.where(), obj: r.obj, text: overwritten + r.path[1:]})
}

// drops reports an arena that nothing leads to any more when a field gets another value.
func (e *engine) drops(s *state, old value) {
	if len(old.refs) != 1 || old.bits&^null != 0 || e.objects[old.refs[0].obj].kind != anArena || e.thread != nil {
		return
	}
	arena := old.refs[0].obj
	st := s.objs[arena]
	if len(e.stack) < 2 || !st.own || st.dead != 0 || st.lost || e.isHeld(s, arena) {
		return
	}
	e.fault(s, &candidate{kind: Leak, at: e.where(), from: e.where(), obj: arena, text: overwritten + "it"})
}

// isUntouched reports whether a cell has the value that it had before the call, which is alive.
func (e *engine) isUntouched(s *state, c cell) bool {
	v := s.cells[c]
	if len(v.refs) != 1 || v.bits&lost != 0 {
		return false
	}
	of := e.objects[v.refs[0].obj].of
	return of != nil && *of == ref(c) && s.objs[v.refs[0].obj].dead == 0
}

// usesLodger reports whether the function has used memory in the arena of a field, which no caller
// of the function reads.
func (e *engine) usesLodger(s *state, r ref) bool {
	arena := s.cells[cell(r)]
	if len(arena.refs) != 1 || e.readByCaller(e.objects[r.obj].typ, r.path) {
		return false
	}
	for c := range e.looked {
		v := s.cells[c]
		if c.obj == r.obj && e.isUntouched(s, c) && s.objs[v.refs[0].obj].arena == arena.refs[0].obj {
			return true
		}
	}
	return false
}

// readByCaller reports whether a function that calls the one which is followed reads a field.
func (e *engine) readByCaller(typ, path string) bool {
	for _, c := range e.program.codes {
		calls, reads := false, false
		for _, in := range c.instrs() {
			calls = calls || in.Name == e.root.Name
			reads = reads || in.Op == Field && in.Type == typ && in.Name == path
		}
		if calls && reads {
			return true
		}
	}
	return false
}

const overwritten = "the arena of the last value is not freed before this overwrites "

// takenOwner is a value that was taken out of a container, with its arena, which the
// function that took it has to free, give away or keep.
func (e *engine) takenOwner(s *state, in *Instr) (value, bool) {
	def := s.top().code.definition(in.X[0])
	if def != nil && def.Op == Extract {
		def = s.top().code.definition(def.X[0])
	}
	if def == nil || def.Op != Call || !takesOut(def.Name) || e.thread != nil {
		return value{}, false
	}
	return e.takenOf(s, in.Type)
}

// takenOf is a value of a type that holds an arena, taken out of a container.
func (e *engine) takenOf(s *state, typ string) (value, bool) {
	typ = strings.TrimPrefix(typ, "*")
	path := e.program.survey.arenaIn(typ)
	if path == "" {
		return value{}, false
	}
	o, a := e.fresh(s, "taken"), e.fresh(s, "taken arena")
	o.typ, o.taken, a.kind = typ, true, anArena
	s.objs[a.id] = status{own: true}
	s.cells[cell{o.id, path}] = to(ref{a.id, ""})
	return to(ref{o.id, ""}), true
}

// takesOut reports whether a function removes a value from a container and returns it.
func takesOut(name string) bool {
	switch name {
	case "(*container/list.List).Remove", "(*sync.Map).LoadAndDelete", "container/heap.Pop", "container/heap.Remove",
		"(*sync/atomic.Pointer).Swap":
		return true
	}
	return false
}

// newOwner is a value with an arena that a constructor of the package returns which is too
// long to follow. It is given no other arena that it may use. Who frees the arena is not
// known.
func (e *engine) newOwner(s *state, in *Instr, name string, given map[int]bool) (value, bool) {
	made, ok := in.src.(ssa.Value)
	code := e.program.code(name)
	if !ok || code == nil || code.src == nil || in.Flag || in.Dst == none || e.thread != nil {
		return value{}, false
	}
	for o := range given {
		if e.objects[o].kind == anArena {
			return value{}, false
		}
	}
	typ := typeOf(made)
	if path := e.program.survey.arenaIn(typ); path == "" || !e.program.survey.constructed[typ+path] {
		return value{}, false
	}
	v, ok := e.takenOf(s, typ)
	for o := range e.reach(s, v) {
		if st := s.objs[o]; st.own {
			st.own = false
			s.objs[o] = st
		}
	}
	return v, ok
}
