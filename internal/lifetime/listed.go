package lifetime

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// endedElements is the cell of a list from outside, behind the path of its elements, whose
// object ended as some of the elements did. The cell has no object once the list is cut or
// stored: then the elements that ended may be gone.
const endedElements = ".%ended"

// ranged reports whether an object is the element of a list from outside that a loop over
// the whole list has read, and no other one.
func (e *engine) ranged(s *state, o int) bool {
	at, of := e.objects[o].at, e.objects[o].of
	if !e.objects[o].element || of == nil || len(at) == 0 || !rangesOver(at[len(at)-1]) {
		return false
	}
	_, stored := s.cells[cell(*of)]
	return !stored
}

// rangesOver reports whether an instruction reads the element of a range statement.
func rangesOver(p point) bool {
	load, ok := p.in.src.(*ssa.UnOp)
	if !ok {
		return false
	}
	at, ok := load.X.(*ssa.IndexAddr)
	return ok && isRangeIndex(at.Index)
}

// endsElement notes that an element of a list from outside ended.
func (e *engine) endsElement(s *state, o int, d *death) {
	of := e.objects[o].of
	if !e.ranged(s, o) || !strings.HasSuffix(of.path, elements) {
		return
	}
	c := cell{of.obj, of.path + endedElements}
	if _, had := s.cells[c]; had {
		return
	}
	all := e.object(fmt.Sprint("elements ended ", of.obj, of.path, " ", d.id))
	s.objs[all.id] = status{dead: d.id}
	s.cells[c] = to(ref{all.id, ""})
}

// endedElement lets an element that was read be dead, if another loop has ended the elements
// of its list. The loop that ends them has ended the earlier ones alone.
func (e *engine) endedElement(s *state, list ref, o int) {
	v := s.cells[cell{list.obj, list.path + endedElements}]
	if len(v.refs) != 1 {
		return
	}
	all := s.objs[v.refs[0].obj]
	if all.dead == 0 || all.arena == 0 && !rangesOver(e.stack[len(e.stack)-1]) || e.deaths[all.dead-1].of == o {
		return
	}
	st := s.objs[o]
	st.dead = all.dead
	s.objs[o] = st
}

// rearranged notes that a list may have other elements now, or will have if it was cut to
// be filled again.
func (e *engine) rearranged(s *state, list value, cut bool) {
	for _, r := range list.refs {
		c := cell{r.obj, strings.TrimSuffix(r.path, elements) + elements + endedElements}
		if v := s.cells[c]; len(v.refs) > 0 || cut && e.objects[r.obj].outside {
			s.cells[c] = value{bits: lost}
		}
	}
}

// surelyListed reports whether the loop in which an element is used always follows the end of
// elements of the same list in another loop.
func (e *engine) surelyListed(c *candidate) bool {
	used, ended := e.objects[c.obj], e.objects[c.death.of]
	if !used.element || !ended.element || used == ended || used.of == nil || ended.of == nil || *used.of != *ended.of {
		return false
	}
	i := part(c.death.at, c.at)
	if i >= len(c.death.at) || i >= len(c.at) || !e.lexicalCode(c.at[i].code) {
		return false
	}
	a, b := c.death.at[i], c.at[i]
	for h := range a.code.Blocks {
		if a.code.dominates(h, b.block) && a.code.reaches(b.block, h, -1) && a.code.always(a.block, h) {
			return true
		}
	}
	return false
}

// replacesAll reports whether a loop over a map sets each of its elements, so that none of the
// earlier ones may be left after the loop.
func (c *Code) replacesAll(over *Instr) bool {
	for _, next := range c.uses(over.Dst) {
		for _, key := range c.uses(next.Dst) {
			if key.Op != Extract || key.Number != 1 {
				continue
			}
			for _, in := range c.uses(key.Dst) {
				if in.Op == Update && c.sameVariable(in.X[0], over.X[0]) && in.X[1] == key.Dst {
					return true
				}
			}
		}
	}
	return false
}

// sameVariable reports whether two registers are one, or were read from the same variable.
func (c *Code) sameVariable(a, b Operand) bool {
	x, y := c.definition(a), c.definition(b)
	return a == b || x != nil && y != nil && x.Op == Load && y.Op == Load && x.X[0] == y.X[0] && c.local(x.X[0])
}

// replaced notes that the elements of a map may all be other ones.
func (e *engine) replaced(s *state, m value) {
	for _, r := range m.at(elements).refs {
		if v, ok := s.cells[cell(r)]; ok {
			v.bits |= lost
			s.cells[cell(r)] = v
		}
	}
}

// maxPicked bounds the elements of a list that a loop takes one after the other.
const maxPicked = 4

// picked is the end of the cell of a list with the elements that a loop has reached.
const picked = ".%picked "

// picks returns the states in which a loop over a list that the function has made reaches one of
// the elements that it has not reached yet, none if the elements are not known.
func (e *engine) picks(s *state, in *Instr) (all []*state) {
	at := e.operand(s, in.X[0])
	if e.coarse || e.thread != nil || len(at.refs) != 1 || at.bits&lost != 0 ||
		!strings.HasSuffix(at.refs[0].path, elements) ||
		in.Class != Reference && in.Class != Arena || !rangesOver(e.stack[len(e.stack)-1]) ||
		s.top().code.fills(e.stack[len(e.stack)-1].block, in) {
		return nil
	}
	r := at.refs[0]
	v, done := s.cells[cell(r)], cell{r.obj, r.path + picked + e.here()}
	if e.objects[r.obj].outside || e.objects[r.obj].aged || len(v.refs) == 0 || len(v.refs) > maxPicked ||
		v.bits&(lost|other) != 0 || !e.endLater(s, v) {
		return nil
	}
	for _, one := range v.refs {
		if slices.Contains(s.cells[done].refs, one) {
			continue
		}
		next := s.clone()
		next.cells[done] = union(next.cells[done], to(one))
		chosen := to(one)
		chosen.bits = each
		e.set(next, in.Dst, chosen)
		all = append(all, next)
	}
	if len(all) == 0 { // the loop has begun again
		v.bits |= lost
		e.set(s, in.Dst, v)
		all = append(all, s)
	}
	return all
}

// fills reports whether the loop that reads an element of a list also sets elements.
func (c *Code) fills(block int, load *Instr) bool {
	at := c.definition(load.X[0])
	for b := range c.Blocks {
		if b != block && !(c.reaches(block, b, -1) && c.reaches(b, block, -1)) {
			continue
		}
		for i := range c.Blocks[b].Instrs {
			in := &c.Blocks[b].Instrs[i]
			if in.Op != Store {
				continue
			}
			to := c.definition(in.X[0])
			if to != nil && to.Op == Index && c.sameVariable(to.X[0], at.X[0]) {
				return true
			}
		}
	}
	return false
}

// endLater reports whether values are arenas, lead to some, or come from a pool.
func (e *engine) endLater(s *state, v value) bool {
	for _, r := range v.refs {
		if e.objects[r.obj].outside || r.path != "" {
			return false
		}
	}
	for o := range e.reach(s, v) {
		if e.objects[o].kind == anArena || s.objs[o].pooled {
			return true
		}
	}
	return false
}
