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
		o.typ = in.Type
		e.set(s, in.Dst, to(ref{o.id, ""}))
	case Move:
		v := e.operand(s, in.X[0])
		switch in.Name {
		case "slice", "cut", "range":
			e.uses(s, v, in.X[0], read)
		case "unsafe":
			v = v.at(partly)
		case "assert":
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
		class := in.Class
		if in.Name == "bytes" && e.holdsMessage(s, at) {
			class = Text
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
		k, v := e.load(s, x.at(keys), Reference, ""), e.load(s, x.at(elements), Reference, "")
		e.set(s, in.Dst, value{parts: []value{{}, k, v}})
	case Store:
		v := e.operand(s, in.X[1])
		at := e.operand(s, in.X[0])
		e.uses(s, at, in.X[0], write)
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
		v := e.opaque(s)
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
		e.send(s, in.X[0], in.X[1])
	case Receive:
		e.waits(s, in.Flag)
		v := e.load(s, e.operand(s, in.X[0]).at(elements), Reference, "")
		if in.Class == Scalar && !in.Flag {
			v = e.opaque(s)
		}
		if in.Flag {
			v = value{parts: []value{v, e.opaque(s)}}
		}
		e.set(s, in.Dst, v)
	case Select:
		for i := 0; i < len(in.X); i += 2 {
			e.keepsStale(s, e.operand(s, in.X[i]), e.operand(s, in.X[i+1]), in.X[i+1])
		}
		if in.Number > 0 {
			e.waits(s, false)
		}
		e.selected(s, in)
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
		e.goes(s, in, e.operand(s, in.X[0]), in.Name, e.arguments(s, in))
	}
}

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

// load returns what is in memory.
func (e *engine) load(s *state, at value, class Class, typ string) value {
	v := value{bits: at.bits & (lost | other)}
	for _, r := range at.refs {
		if strings.Contains(r.path, "[") {
			v.bits |= many
		}
	}
	first := true
	for _, r := range at.refs {
		got := e.content(s, r, class, typ, 0)
		if first {
			v = union(got, value{bits: v.bits})
			if v.bits&^many == got.bits&^many {
				v.sym, v.num = got.sym, got.num
			}
			first = false
		} else {
			v = union(v, got)
		}
	}
	if class == Scalar {
		v.bits &^= many
	}
	if class == Scalar && v.bits&^(other|lost) == 0 && v.sym == 0 && v.num == "" && len(v.refs) == 0 {
		return e.opaque(s)
	}
	return v
}

// content returns what a cell holds.
func (e *engine) content(s *state, r ref, class Class, typ string, depth int) value {
	c := cell(r)
	if v, ok := s.cells[c]; ok {
		return v
	}
	o := e.objects[r.obj]
	if strings.HasPrefix(o.typ, decodedMark) {
		return e.inMessage(s, o, class)
	}
	if d := e.decodedIn(s, r); d != nil {
		return e.inMessage(s, d, class)
	}
	if class == Whole {
		return e.snapshot(s, r, typ)
	}
	if from, rest := e.source(s, r); from != nil && depth < 4 {
		return e.content(s, ref{from.obj, from.path + rest}, class, typ, depth+1)
	}
	st := s.objs[r.obj]
	switch {
	case st.dead != 0:
		return value{bits: other | lost}
	case strings.Contains(r.path, partly) && class != Scalar:
		return to(r)
	}
	if !o.outside && !st.pooled && o.kind != copied {
		if st.arena != 0 || o.typ == "?" {
			return value{bits: other | null, sym: e.cellSym(s, r)}
		}
		switch class {
		case Scalar:
			if strings.HasSuffix(r.path, elements) {
				return value{bits: other}
			}
			return value{bits: no, num: "0"}
		default:
			return value{bits: null}
		}
	}
	if o.kind == copied && !o.outside {
		if class == Scalar {
			return value{bits: no, num: "0"}
		}
		return value{bits: null}
	}
	// Memory from outside refers to other memory from outside.
	if class == Scalar {
		return value{sym: e.cellSym(s, r)}
	}
	if class == Text && !st.pooled && !o.outside {
		return value{bits: other}
	}
	if strings.Count(o.key, ">")+strings.Count(o.key, "*") > 24 {
		return value{bits: other | lost}
	}
	// An element is another one each time.
	element, key := strings.HasSuffix(r.path, elements), fmt.Sprint(o.key, r.path, ">")
	if element {
		key = e.here() + "element" + o.key
	}
	in := e.renewed(s, key)
	in.outside = o.outside
	in.of = &ref{o.id, r.path}
	if in.typ == "" {
		in.typ = strings.TrimPrefix(typ, "*")
	}
	if class == Arena {
		in.kind = anArena
	}
	if in.name == "" && o.name != "" {
		in.name = o.name + strings.ReplaceAll(r.path, elements, "")
	}
	s.objs[in.id] = status{pooled: st.pooled || e.program.isReused(o.typ+r.path), arena: st.arena}
	v := to(ref{in.id, ""})
	if !element {
		s.cells[c] = v
	}
	return v
}

func (e *engine) cellSym(s *state, r ref) int { return e.sym(fmt.Sprint("cell", r.obj, r.path)) }

// decodedIn returns the memory that was decoded into the object around a cell.
func (e *engine) decodedIn(s *state, r ref) *object {
	for path := r.path; ; {
		if v, ok := s.cells[cell{r.obj, path + content}]; ok && len(v.refs) == 1 {
			return e.objects[v.refs[0].obj]
		}
		i := strings.LastIndexAny(path, ".[")
		if i < 0 {
			return nil
		}
		path = path[:i]
	}
}

// inMessage returns a part of what was decoded into an arena.
func (e *engine) inMessage(s *state, o *object, class Class) value {
	switch {
	case class == Scalar:
		return e.opaque(s)
	case class == Text && o.typ != decodedMark+" with text":
		return value{bits: other}
	}
	return to(ref{o.id, ""})
}

// source returns what the struct around a cell was copied from.
func (e *engine) source(s *state, r ref) (*ref, string) {
	path := r.path
	for {
		if v, ok := s.cells[cell{r.obj, path + whole}]; ok && len(v.refs) == 1 {
			return &v.refs[0], r.path[len(path):]
		}
		i := strings.LastIndexAny(path, ".[")
		if i < 0 {
			break
		}
		path = path[:i]
	}
	return nil, ""
}

// snapshot returns the value of a struct.
func (e *engine) snapshot(s *state, r ref, typ string) value {
	o := e.fresh(s, fmt.Sprint("copy", r.obj, r.path))
	o.kind, o.typ = copied, strings.TrimPrefix(typ, "*")
	if e.objects[r.obj].outside || s.objs[r.obj].pooled {
		s.cells[cell{o.id, whole}] = to(r)
	}
	e.copyCells(s, r, ref{o.id, ""})
	return to(ref{o.id, ""})
}

func (e *engine) copyCells(s *state, from, into ref) {
	type copy struct {
		c  cell
		v  value
		at []point
	}
	var all []copy
	for c, v := range s.cells {
		if c.obj == from.obj && strings.HasPrefix(c.path, from.path) && c.path != from.path {
			all = append(all, copy{cell{into.obj, into.path + c.path[len(from.path):]}, v, s.origin[c]})
		}
	}
	for _, x := range all {
		s.cells[x.c] = x.v
		if x.at != nil && !e.objects[into.obj].outside {
			s.origin[x.c] = x.at
		} else {
			s.origin[x.c] = e.where()
		}
	}
	if from2, rest := e.source(s, from); from2 != nil {
		s.cells[cell{into.obj, into.path + whole}] = to(ref{from2.obj, from2.path + rest})
	}
}

// where is a copy of the stack.
func (e *engine) where() []point { return slices.Clone(e.stack) }

// store puts a value into memory.
func (e *engine) store(s *state, at value, v value, class Class) {
	for _, r := range at.refs {
		o := e.objects[r.obj]
		if strings.Contains(r.path, "[") {
			e.held(s, v) // a loop frees the arenas of a list
		}
		if c := (cell{r.obj, ".held"}); o.typ == "?" && len(s.cells[c].refs) > 0 && r.path != ".held" {
			held := s.cells[c]
			held.bits |= lost
			s.cells[c] = held
		}
		weak := len(at.refs) > 1 || o.aged || strings.Contains(r.path, "[")
		c := cell(r)
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
				old.bits |= lost | v.bits
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
