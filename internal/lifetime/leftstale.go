package lifetime

import (
	"cmp"
	"fmt"
	"slices"
)

// leavesStale reports fields whose memory a method ends though the owner goes on, with the same
// arena after a Reset or with another one: nobody but constructors gives the field a new value.
// The report is at a use by another function.
func (e *engine) leavesStale(s *state) {
	sv := e.program.survey
	for _, c := range s.sortedCells() {
		owner, v := e.objects[c.obj], s.cells[c]
		l := sv.lodgings[owner.typ+c.path]
		if l == nil || l.mixed || !owner.outside || owner.element || len(v.refs) != 1 || v.bits&lost != 0 {
			continue
		}
		st, of := s.objs[v.refs[0].obj], e.objects[v.refs[0].obj].of
		if st.dead == 0 || st.lost || of == nil || *of != ref(c) || e.isRenewed(owner.typ, c.path) {
			continue
		}
		use := e.usedElsewhere(owner.typ, c.path)
		if use == nil {
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
		e.fault(s, &candidate{kind: Use, at: at, obj: v.refs[0].obj, elsewhere: use, text: fmt.Sprintf(
			"the field %s still refers to the memory that ended in line %d, and nobody gives it a new value",
			c.path[1:], e.program.lineOf(d.at[len(d.at)-1]))})
	}
}

// isRenewed reports whether others than constructors may set a field.
func (e *engine) isRenewed(typ, path string) bool {
	sv := e.program.survey
	return sv.renewed[typ+path] || len(sv.changes.places[typ+path]) > 0 || len(sv.changes.types[typ]) > 0
}

// usedElsewhere is an instruction by which another function reads a field, nil if none does. One that
// does not call the function which is followed is more likely to run after it, and one that does more
// than append is easier to understand.
func (e *engine) usedElsewhere(typ, path string) *Instr {
	type use struct {
		in   *Instr
		rank int
	}
	var all []use
	for _, c := range e.program.codes {
		if c.src == nil || e.lexicalCode(c) {
			continue
		}
		rank := 0
		for _, in := range c.instrs() {
			if in.Name == e.root.Name {
				rank = 1
			}
		}
		for _, at := range c.fields(typ, path) {
			for _, load := range c.uses(at.Dst) {
				if load.Op != Load || c.local(at.Dst) {
					continue
				}
				u := use{load, rank}
				if c.onlyExtended(load.Dst) {
					u.rank += 2
				}
				all = append(all, u)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	return slices.MinFunc(all, func(a, b use) int {
		return cmp.Or(a.rank-b.rank, int(a.in.src.Pos()-b.in.src.Pos()))
	}).in
}

// onlyExtended reports whether a list is only appended to.
func (c *Code) onlyExtended(list Operand) bool {
	return !slices.ContainsFunc(c.uses(list), func(use *Instr) bool {
		short, _ := arenaName(use.Name)
		return use.Op != Call || use.Name != "append" && short != "Append"
	})
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
