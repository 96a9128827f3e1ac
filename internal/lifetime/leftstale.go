package lifetime

import (
	"fmt"
	"slices"
)

// leavesStale reports fields whose memory a method ends though the owner goes on, with the same
// arena after a Reset or with another one: nobody but constructors gives the field a new value.
func (e *engine) leavesStale(s *state) {
	sv := e.program.survey
	for _, c := range s.sortedCells() {
		owner, v := e.objects[c.obj], s.cells[c]
		l := sv.lodgings[owner.typ+c.path]
		if l == nil || l.mixed || !owner.outside || owner.element || len(v.refs) != 1 || v.bits&lost != 0 {
			continue
		}
		st, of := s.objs[v.refs[0].obj], e.objects[v.refs[0].obj].of
		if st.dead == 0 || st.lost || of == nil || *of != ref(c) || !e.isNeverRenewed(owner.typ, c.path) {
			continue
		}
		d, field := e.deaths[st.dead-1], cell{c.obj, l.arena}
		if a := e.objects[d.of].of; a == nil || *a != ref(field) || !e.inside(d.at) {
			continue
		}
		at := d.at
		switch now := s.cells[field]; {
		case len(now.refs) != 1 || now.bits&lost != 0 || s.objs[now.refs[0].obj].dead != 0:
			continue
		case now.refs[0].obj != d.of:
			at = s.origin[field]
		case d.how != reset || !sv.constructed[owner.typ+l.arena] || !sv.frees[owner.typ+l.arena]:
			continue
		}
		e.fault(s, &candidate{kind: Use, at: at, obj: v.refs[0].obj, text: fmt.Sprintf(
			"the field %s still refers to the memory that ended in line %d, and nobody gives it a new value",
			c.path[1:], e.program.lineOf(d.at[len(d.at)-1]))})
	}
}

// isNeverRenewed reports whether only constructors set a field, and functions besides the one that
// is followed read it.
func (e *engine) isNeverRenewed(typ, path string) bool {
	sv := e.program.survey
	if sv.renewed[typ+path] || len(sv.changes.places[typ+path]) > 0 || len(sv.changes.types[typ]) > 0 {
		return false
	}
	for _, c := range e.program.codes {
		if c.src != nil && !e.lexicalCode(c) && slices.ContainsFunc(c.fields(typ, path), func(at *Instr) bool {
			isLoad := func(use *Instr) bool { return use.Op == Load }
			return !c.local(at.Dst) && slices.ContainsFunc(c.uses(at.Dst), isLoad)
		}) {
			return true
		}
	}
	return false
}

// fields are the instructions that take the address of a field.
func (c *Code) fields(typ, path string) (all []*Instr) {
	for _, in := range c.instrs() {
		if in.Op == Field && in.Type == typ && in.Name == path {
			all = append(all, in)
		}
	}
	return all
}
