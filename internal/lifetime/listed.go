package lifetime

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// endedElements is the cell of a list from outside, behind the path of its elements, whose
// object ended as some of the elements did. The cell has no object once the list is cut or
// stored: then the elements that ended may be gone.
const endedElements = ".ended"

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
	if len(v.refs) != 1 || !rangesOver(e.stack[len(e.stack)-1]) {
		return
	}
	all := s.objs[v.refs[0].obj]
	if all.dead == 0 || e.deaths[all.dead-1].of == o {
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
