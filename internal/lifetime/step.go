package lifetime

import (
	"fmt"
	"slices"
	"strings"
)

// step follows an instruction that calls nothing.
func (e *engine) step(s *state, in *Instr) {
	switch in.Op {
	case Alloc:
		o := e.fresh(s, "")
		o.typ, o.list = in.Type, in.Flag
		if in.Name == "chan" {
			o.capacity, o.typ = e.operand(s, in.X[0]).num, channelType
		}
		e.set(s, in.Dst, to(ref{o.id, ""}))
	case Move:
		v := e.operand(s, in.X[0])
		switch in.Name {
		case "range":
			e.uses(s, v, in.X[0], read)
			if s.top().code.replacesAll(in) {
				e.replaced(s, v)
			}
		case "slice", "cut":
			e.uses(s, v, in.X[0], sliced)
			e.rearranged(s, v, in.Name == "cut")
		case "unsafe":
			v = v.at(partly)
		case "assert":
			if owner, ok := e.takenOwner(s, in); ok {
				v = owner
			} else if held, ok := e.contextValue(s, in); ok {
				v = held
			}
			for _, r := range v.refs {
				if st := s.objs[r.obj]; in.Flag && e.objects[r.obj].answer { // what is done depends on its type
					st.lost = true
					s.objs[r.obj] = st
				}
			}
			e.adopt(v, in.Type)
			if in.Class == Text {
				v = e.withoutDecodedText(v)
			}
			if in.Flag {
				v = value{parts: []value{v, e.opaque(s)}}
			}
		}
		e.set(s, in.Dst, v)
	case Wrap:
		v := e.operand(s, in.X[0])
		e.adopt(v, in.Type)
		if len(v.refs) == 0 && v.bits == null { // a typed nil is no nil
			v = value{bits: other}
			if strings.HasPrefix(in.Type, "*") {
				v.num = typedNil
			}
		}
		e.set(s, in.Dst, v)
	case Field:
		e.set(s, in.Dst, e.operand(s, in.X[0]).at(in.Name))
	case Index:
		x := e.operand(s, in.X[0])
		if in.Flag {
			e.uses(s, x, in.X[0], read)
		}
		e.set(s, in.Dst, x.at(elements))
	case Load:
		at := e.operand(s, in.X[0])
		e.uses(s, at, in.X[0], read)
		e.races(s, at, in.X[0], false)
		// A struct of text alone is on the heap if the decoder left its text there.
		class := in.Class
		if in.Name == "bytes" && e.holdsMessage(s, at) &&
			(class != Whole || len(e.load(s, at, Text, in.Type).refs) == 0) {
			class = Text
		}
		if len(at.refs) == 1 && class != Scalar {
			c := cell(at.refs[0])
			_, had := s.cells[c]
			e.looked[c] = e.looked[c] || e.objects[c.obj].outside && (!had || e.isUntouched(s, c))
		}
		e.set(s, in.Dst, e.load(s, at, class, in.Type))
	case Part:
		e.set(s, in.Dst, e.load(s, e.operand(s, in.X[0]).at(in.Name), in.Class, in.Type))
	case Lookup:
		x := e.operand(s, in.X[0])
		e.uses(s, x, in.X[0], read)
		e.uses(s, e.operand(s, in.X[1]), in.X[1], read)
		v := e.load(s, x.at(elements), in.Class, in.Type)
		v.bits |= null
		if len(v.refs) == 1 && e.objects[v.refs[0].obj].element { // the one of this key
			v.bits &^= many
		}
		if in.Class == Scalar {
			v = e.opaque(s)
		}
		if in.Flag {
			v = value{parts: []value{v, e.opaque(s)}}
		}
		e.set(s, in.Dst, v)
	case Next:
		x := e.operand(s, in.X[0])
		e.uses(s, x, in.X[0], read)
		k, v := e.load(s, x.at(keys), Class(in.Number), ""), e.load(s, x.at(elements), in.Class, "")
		e.set(s, in.Dst, value{parts: []value{{}, k, v}})
	case Store:
		v := e.operand(s, in.X[1])
		at := e.operand(s, in.X[0])
		e.uses(s, at, in.X[0], write)
		e.races(s, at, in.X[0], true)
		e.keepsStale(s, at, v, in.X[1])
		e.store(s, at, v, in.Class)
	case Update:
		m := e.operand(s, in.X[0])
		e.uses(s, m, in.X[0], write)
		e.keepsStale(s, m, e.operand(s, in.X[1]), in.X[1])
		e.keepsStale(s, m, e.operand(s, in.X[2]), in.X[2])
		e.store(s, m.at(keys), e.operand(s, in.X[1]), Reference)
		e.store(s, m.at(elements), e.operand(s, in.X[2]), in.Class)
	case Compare:
		e.set(s, in.Dst, e.compare(s, in))
	case Not:
		v := e.operand(s, in.X[0])
		switch {
		case v.bits == yes:
			v = value{bits: no}
		case v.bits == no:
			v = value{bits: yes}
		default:
			v = value{sym: -v.sym}
		}
		e.set(s, in.Dst, v)
	case Compute:
		for _, x := range in.X {
			e.uses(s, e.operand(s, x), x, read)
		}
		v := e.computed(s, in)
		if in.Class != Scalar {
			v.bits = other
		}
		e.set(s, in.Dst, v)
	case Extract:
		v := e.operand(s, in.X[0])
		if in.Number < len(v.parts) {
			v = v.parts[in.Number]
		} else {
			v = value{bits: v.bits | other}
		}
		if v.empty() && in.Class == Scalar {
			v = e.opaque(s)
		}
		e.set(s, in.Dst, v)
	case Closure:
		o := e.fresh(s, "")
		o.kind, o.code = closure, in.Name
		if in.Flag {
			o.typ = "bound"
			if in.Type != "" {
				o.typ = "bound to an interface"
			}
		}
		for i, x := range in.X {
			s.cells[cell{o.id, fmt.Sprint("$", i)}] = e.operand(s, x)
		}
		e.set(s, in.Dst, to(ref{o.id, ""}))
	case Send:
		e.send(s, in.X[0], in.X[1], in.Type)
	case Receive:
		e.receives(s, e.operand(s, in.X[0]), in.Type, in.Flag)
		v := e.taken(s, e.load(s, e.operand(s, in.X[0]).at(elements), Reference, ""))
		if in.Class == Scalar && !in.Flag {
			v = e.opaque(s)
		}
		if in.Flag {
			v = value{parts: []value{v, e.opaque(s)}}
		}
		e.set(s, in.Dst, v)
	case Defer:
		f := s.top()
		args := make([]value, len(in.X))
		for i, x := range in.X {
			args[i] = e.operand(s, x)
		}
		d := deferral{in, args, e.here()}
		if n := len(f.defers); n > 1 && f.defers[n-1].key == d.key && f.defers[n-2].key == d.key {
			break // a loop defers it
		}
		f.defers = append(f.defers, d)
	case Go:
		e.goes(s, in, e.operand(s, in.X[0]), in.Name, e.arguments(s, in), value{})
	}
}

// isResult reports whether an interface holds one of several results of a call.
func (c *Code) isResult(x Operand) bool {
	wrap := c.definition(x)
	if wrap == nil || wrap.Op != Wrap {
		return false
	}
	result := c.definition(wrap.X[0])
	return result != nil && result.Op == Extract
}

// typedNil is the text of an interface that holds a nil pointer.
const typedNil = "typed nil"

func (e *engine) arguments(s *state, in *Instr) []value {
	args := make([]value, len(in.X)-1)
	for i, x := range in.X[1:] {
		args[i] = e.operand(s, x)
	}
	return args
}

// holdsMessage reports whether an address belongs to a message.
func (e *engine) holdsMessage(s *state, at value) bool {
	for _, r := range at.refs {
		if strings.HasPrefix(e.objects[r.obj].typ, decodedMark) || e.decodedIn(s, r) != nil {
			return true
		}
	}
	return false
}

// withoutDecodedText removes the text that a decoder left on the heap.
func (e *engine) withoutDecodedText(v value) value {
	refs := slices.DeleteFunc(slices.Clone(v.refs), func(r ref) bool { return e.objects[r.obj].typ == decodedMark })
	if len(refs) < len(v.refs) {
		v.refs, v.bits = refs, v.bits|other
	}
	return v
}

// adopt notes the type of objects without one.
func (e *engine) adopt(v value, typ string) {
	typ = strings.TrimPrefix(typ, "*")
	for _, r := range v.refs {
		if o := e.objects[r.obj]; r.path == "" && o.typ == "" {
			o.typ = typ
		}
	}
}

// where is a copy of the stack.
func (e *engine) where() []point { return slices.Clone(e.stack) }

// store puts a value into memory.
func (e *engine) store(s *state, at value, v value, class Class) {
	e.rearranged(s, v, false)
	for _, r := range at.refs {
		o := e.objects[r.obj]
		e.overwrites(s, r, v)
		if strings.Contains(o.typ, ".") {
			for _, held := range v.refs {
				if a := e.objects[held.obj]; a.kind == anArena && a.holder == "" {
					a.holder, a.field = o.typ, r.path
				}
			}
		}
		if strings.Contains(r.path, "[") {
			if len(v.refs) == 0 || e.objects[v.refs[0].obj].code != intoArena {
				e.heldBy(s, v, e.mayFree(s)) // a loop frees the arenas of a list
			}
			e.rearranged(s, to(r), false)
		}
		if c := (cell{r.obj, ".%held"}); o.typ == "?" && len(s.cells[c].refs) > 0 && r.path != ".%held" {
			held := s.cells[c]
			held.bits |= lost
			s.cells[c] = held
		}
		weak := len(at.refs) > 1 || o.aged || strings.Contains(r.path, "[")
		c := cell(r)
		e.detach(s, r, class)
		if class == Whole && len(v.refs) > 0 && e.objects[v.refs[0].obj].kind == copied {
			if !weak {
				e.clear(s, r)
			}
			for _, from := range v.refs {
				e.copyCells(s, from, r)
			}
			e.changed(s, r)
			continue
		}
		if class == Whole && len(v.refs) == 0 && !weak {
			e.clear(s, r)
			if e.objects[r.obj].outside || s.objs[r.obj].pooled {
				s.cells[cell{r.obj, r.path + whole}] = to(ref{e.zero(), ""})
			}
			continue
		}
		old, had := s.cells[c]
		switch {
		case weak && len(v.refs) == 0:
			if had {
				old.bits |= v.bits
				if !o.list {
					old.bits |= lost
				}
				s.cells[c] = old
			} else {
				s.cells[c] = value{bits: v.bits | other}
			}
		case weak:
			if !had && (o.outside || s.objs[r.obj].pooled) {
				old = value{bits: other}
			}
			s.cells[c] = union(old, value{refs: v.refs, bits: v.bits})
			s.origin[c] = e.where()
		default:
			s.cells[c] = v
			e.drops(s, old)
			delete(s.origin, c)
			if len(v.refs) > 0 {
				s.origin[c] = e.where()
			}
		}
		e.changed(s, r)
	}
}

// zero is an object without contents.
func (e *engine) zero() int { return e.object("zero").id }

// clear forgets the fields of a struct.
func (e *engine) clear(s *state, r ref) {
	for c := range s.cells {
		if c.obj == r.obj && strings.HasPrefix(c.path, r.path) {
			delete(s.cells, c)
			delete(s.origin, c)
		}
	}
}

// changed notes that a store may have changed the same field of another object from
// outside, which may be the same object.
func (e *engine) changed(s *state, r ref) {
	o := e.objects[r.obj]
	if !o.outside {
		return
	}
	for c, v := range s.cells {
		other := e.objects[c.obj]
		if c.path == r.path && c.path != "" && other != o && other.outside && other.typ == o.typ {
			v.bits |= lost
			s.cells[c] = v
		}
	}
}
