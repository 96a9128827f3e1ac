package lifetime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// load returns what is in memory.
func (e *engine) load(s *state, at value, class Class, typ string) value {
	v := value{bits: at.bits & (lost | other | many | each)}
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
			if v.bits&^(many|each) == got.bits&^(many|each) {
				v.sym, v.num = got.sym, got.num
			}
			first = false
		} else {
			v = union(v, got)
		}
	}
	if class == Scalar {
		v.bits &^= many | each
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
	if class == Whole && (typ != ours+".Checkpoint" || e.lodged(s, r) == 0) {
		return e.snapshot(s, r, typ)
	}
	if from, rest := e.source(s, r); from != nil && depth < 4 {
		return e.content(s, ref{from.obj, from.path + rest}, class, typ, depth+1)
	}
	if v, ok := e.around(s, r); ok && class == Scalar {
		return v
	}
	st := s.objs[r.obj]
	switch {
	case st.dead != 0:
		return value{bits: other | lost}
	case strings.Contains(r.path, partly) && class != Scalar:
		return to(r)
	}
	if !o.outside && !st.pooled && o.kind != copied {
		arena := st.arena
		if o.taken && arena == 0 {
			arena = e.lodged(s, r)
		}
		if o.taken && arena != 0 && class != Scalar && class != Arena {
			return e.lodger(s, r, arena, typ)
		}
		if st.arena != 0 || o.typ == "?" || o.taken {
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
		return value{sym: e.cellSym(s, r), num: e.program.survey.constants[o.key+r.path]}
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
	in.outside, in.element = o.outside, element || o.element
	if e.thread != nil && in.outside {
		delete(e.thread.begun, in.id)
	}
	in.of = &ref{o.id, r.path}
	if in.typ == "" {
		in.typ = strings.TrimPrefix(typ, "*")
	}
	in.slab = in.slab || in.typ == ours+".Slab"
	switch class {
	case Arena:
		in.kind = anArena
	case Whole:
		in.kind = checkpoint
	}
	if in.name == "" && o.name != "" {
		in.name = o.name + strings.ReplaceAll(r.path, elements, "")
	}
	arena := st.arena
	if arena == 0 && class != Arena {
		arena = e.lodged(s, r)
	}
	fate := e.lodging(s, arena)
	fate.pooled = st.pooled || e.program.isReused(o.typ+r.path)
	s.objs[in.id] = fate
	if element {
		e.endedElement(s, r, in.id)
	}
	v := to(ref{in.id, ""})
	if !element {
		s.cells[c] = v
	}
	return v
}

func (e *engine) cellSym(s *state, r ref) int { return e.sym(fmt.Sprint("cell", r.obj, r.path)) }

// around is a part of a struct without references that was stored as a whole.
func (e *engine) around(s *state, r ref) (value, bool) {
	for path := r.path; ; {
		i := strings.LastIndexAny(path, ".[")
		if i < 0 {
			return value{}, false
		}
		path = path[:i]
		if v, ok := s.cells[cell{r.obj, path}]; ok {
			return value{sym: e.sym(fmt.Sprint("part of ", v.sym, r.path[i:], e.cellSym(s, r)))}, len(v.refs) == 0 &&
				v.sym != 0
		}
	}
}

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
	case class == Whole: // a copy with the references of the message
		c := e.fresh(s, fmt.Sprint("copy", o.id))
		c.kind = copied
		s.cells[cell{c.id, content}] = to(ref{o.id, ""})
		return to(ref{c.id, ""})
	case class == Text && o.typ == decodedMark+" with alias":
		return s.cells[cell{o.id, ".%text"}]
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

// detach lets the copies of a struct from outside keep their values, before a part of the struct
// or all of it changes.
func (e *engine) detach(s *state, r ref, class Class) {
	if o := e.objects[r.obj]; !o.outside && !s.objs[r.obj].pooled {
		return
	}
	var copies []cell
	for c, v := range s.cells {
		if strings.HasSuffix(c.path, whole) && len(v.refs) == 1 && v.refs[0].obj == r.obj {
			copies = append(copies, c)
		}
	}
	slices.SortFunc(copies, func(a, b cell) int { return compareRefs(ref(a), ref(b)) })
	for _, c := range copies {
		from, into := s.cells[c].refs[0], ref{c.obj, strings.TrimSuffix(c.path, whole)}
		switch part, isPart := strings.CutPrefix(r.path, from.path); {
		case into == r:
		case isPart && part != "":
			at := cell{into.obj, into.path + part}
			if _, had := s.cells[at]; !had && class != Scalar && class != Whole && !strings.Contains(part, "[") {
				s.cells[at] = e.content(s, r, class, "", 0)
			}
		case strings.HasPrefix(from.path, r.path):
			for old, v := range maps.Clone(s.cells) {
				rest, isPart := strings.CutPrefix(old.path, from.path)
				at := cell{into.obj, into.path + rest}
				if _, had := s.cells[at]; old.obj == from.obj && isPart && rest != "" && !had {
					s.cells[at] = v
				}
			}
			before := e.object(e.objects[from.obj].key + from.path + " before")
			before.outside, before.of = e.objects[from.obj].outside, &from
			before.name, before.typ = e.objects[from.obj].name+from.path, e.objects[into.obj].typ
			s.objs[before.id] = s.objs[from.obj]
			s.cells[c] = to(ref{before.id, ""})
		}
	}
}
