package lifetime

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A lodging is a field whose memory lies in the arena of another field of the same struct,
// wherever the package sets it.
type lodging struct {
	path, arena, typ string
	mixed            bool
}

// lodges notes in which arena the value lies that a field gets, or the elements of its list or
// map.
func (sv *survey) lodges(c *Code, in *Instr) {
	switch in.Op {
	case Store:
		if at := c.definition(in.X[0]); at != nil && at.Op == Index {
			sv.elementLodges(c, at.X[0], in.X[1])
			return
		}
		base, path := c.fieldAt(in.X[0])
		if place := c.placeOf(in.X[0]); !c.local(in.X[0]) && !sv.changes.extends(c, in.X[1], place, 0) {
			sv.renewed[place] = true
		}
		arena, neutral := sv.arenaOf(c, in.X[1], base, path, 0)
		sv.lodge(c, in.X[0], path, arena, neutral, in.vals)
		if store, ok := in.src.(*ssa.Store); ok && isList(store.Val.Type()) {
			arena, neutral = sv.arenaOfElements(c, in.X[1], base, path, map[Operand]bool{})
			sv.lodge(c, in.X[0], path+elements, arena, neutral, nil)
		}
	case Update:
		sv.elementLodges(c, in.X[0], in.X[2])
	case Call:
		if in.Name == "copy" {
			sv.elementLodges(c, in.X[1], none)
		}
	}
}

// elementLodges notes an element that the list or map in a field gets.
func (sv *survey) elementLodges(c *Code, list, x Operand) {
	load := c.definition(list)
	if load == nil || load.Op != Load {
		return
	}
	if base, path := c.fieldAt(load.X[0]); path != "" {
		arena, neutral := sv.arenaOf(c, x, base, path+elements, 0)
		sv.lodge(c, load.X[0], path+elements, arena, neutral, nil)
	}
}

// lodge notes the arena that has the memory at a path of the struct around a field.
func (sv *survey) lodge(c *Code, field Operand, path, arena string, neutral bool, vals []ssa.Value) {
	def := c.definition(field)
	if !strings.Contains(path, ".") || def.Type == "" || c.src == nil || neutral {
		return
	}
	path, arena = innermost(path, arena)
	place := def.Type + path
	l := sv.lodgings[place]
	if l == nil {
		l = &lodging{path: path, arena: arena}
		if len(vals) > 1 {
			l.typ = strings.TrimPrefix(typeName(vals[1].Type()), "*")
		}
		sv.lodgings[place] = l
		sv.lodgers[def.Type] = append(sv.lodgers[def.Type], l)
	}
	l.mixed = l.mixed || arena == "" || arena != l.arena || !private(path[1:])
}

// isList reports whether values of a type have elements.
func isList(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// fieldAt splits the address of a field into the address of its struct and the path.
func (c *Code) fieldAt(at Operand) (base Operand, path string) {
	for def := c.definition(at); def != nil && def.Op == Field; def = c.definition(at) {
		path, at = def.Name+path, def.X[0]
	}
	return at, path
}

// arenaOf is the path of the field with the arena in which a value lies, "" if it is not
// known. Nil and the value of the field itself are neutral.
func (sv *survey) arenaOf(c *Code, x, base Operand, path string, depth int) (arena string, neutral bool) {
	if x < 0 {
		return "", c.Consts[^x].Kind == Nil || c.Consts[^x].Name == `""`
	}
	def := c.definition(x)
	if def == nil || depth > 6 {
		return "", false
	}
	switch def.Op {
	case Move, Wrap, Extract:
		return sv.arenaOf(c, def.X[0], base, path, depth+1)
	case Load:
		if at := c.definition(def.X[0]); at != nil && at.Op == Index { // an element of the same list
			if list := c.definition(at.X[0]); list != nil && list.Op == Load {
				b, p := c.fieldAt(list.X[0])
				return "", b == base && p+elements == path
			}
		}
		b, p := c.fieldAt(def.X[0])
		return "", b == base && p == path
	case Phi:
		return joined(def.X, func(x Operand) (string, bool) { return sv.arenaOf(c, x, base, path, depth+1) })
	case Call:
		if short, ok := arenaName(def.Name); ok && allocates[short] {
			return c.arenaField(def.X[1], base), false
		}
		if len(def.X) > 1 && def.X[1] == base && !def.Flag {
			return sv.returnedIn(def.Name, depth), false
		}
		if def.Name == "append" && len(def.X) > 1 { // it has room where it was
			_, neutral = sv.arenaOf(c, def.X[1], base, path, depth+1)
			return "", neutral
		}
	}
	return "", false
}

// joined is the arena of one of several values.
func joined(all []Operand, of func(Operand) (string, bool)) (arena string, neutral bool) {
	neutral = true
	for _, x := range all {
		a, n := of(x)
		if !n && (a == "" || arena != "" && arena != a) {
			return "", false
		}
		if !n {
			arena, neutral = a, false
		}
	}
	return arena, neutral
}

// returnedIn is the path of the field of its receiver with the arena in which the result of a
// method lies.
func (sv *survey) returnedIn(name string, depth int) string {
	c := sv.changes.program.codes[name]
	if c == nil || depth > 3 {
		return ""
	}
	var results []Operand
	for _, in := range c.instrs() {
		if in.Op == Return && len(in.X) > 0 {
			results = append(results, in.X[0])
		}
	}
	arena, _ := joined(results, func(x Operand) (string, bool) { return sv.arenaOf(c, x, 0, "", depth+3) })
	return arena
}

// arenaOfElements is arenaOf for the elements of a list.
func (sv *survey) arenaOfElements(
	c *Code, x, base Operand, path string, seen map[Operand]bool,
) (arena string, neutral bool) {
	if x < 0 || seen[x] {
		return "", x >= 0 || c.Consts[^x].Kind == Nil
	}
	seen[x] = true
	def := c.definition(x)
	if def == nil {
		return "", false
	}
	list, more := none, none
	switch def.Op {
	case Phi:
		return joined(def.X, func(x Operand) (string, bool) { return sv.arenaOfElements(c, x, base, path, seen) })
	case Load:
		b, p := c.fieldAt(def.X[0])
		return "", b == base && p == path
	case Alloc:
		var all []Operand
		for _, in := range c.stores(x) {
			all = append(all, in.X[1])
		}
		return joined(all, func(x Operand) (string, bool) { return sv.arenaOf(c, x, base, path+elements, 0) })
	case Move:
		list = def.X[0]
	case Call:
		short, _ := arenaName(def.Name)
		switch {
		case def.Name == "append" && len(def.X) > 2:
			list, more = def.X[1], def.X[2]
		case short == "Append" && len(def.X) > 3:
			list, more = def.X[2], def.X[3]
		case short == "MakeSlice":
			return "", true
		case strings.HasPrefix(def.Name, "slices.") && contractOf(def.Name) == aliases && len(def.X) > 1 &&
			!strings.HasPrefix(def.Name, "slices.Insert") && !strings.HasPrefix(def.Name, "slices.Replace"):
			list = def.X[1]
		}
	}
	if list == none {
		return "", false
	}
	return joined([]Operand{list, more}, func(x Operand) (string, bool) {
		if x == none {
			return "", true
		}
		return sv.arenaOfElements(c, x, base, path, seen)
	})
}

// allocates are the functions whose result lies in the arena that is their first argument.
var allocates = map[string]bool{
	"New": true, "MakeSlice": true, "(*Arena).Mark": true, "Append": true, "Bytes": true, "String": true, "Concat": true,
	"AlignedBytes": true, "NewMap": true, "NewBuffer": true, "NewSlab": true,
}

// arenaField is the path of the field of a struct that holds an arena.
func (c *Code) arenaField(arena, base Operand) string {
	if load := c.definition(arena); load != nil && load.Op == Load {
		if b, path := c.fieldAt(load.X[0]); b == base {
			return path
		}
	}
	for _, in := range c.stores(base) {
		if c.sameValue(in.X[1], arena) {
			if b, path := c.fieldAt(in.X[0]); b == base {
				return path
			}
		}
	}
	return ""
}

// lodged is the arena in which the memory of a field or its elements lies, 0 if that is not
// known.
func (e *engine) lodged(s *state, r ref) int {
	if o := e.objects[r.obj]; r.path == elements && o.of != nil {
		r = ref{o.of.obj, o.of.path + elements}
	}
	typ, outer, path := e.innerStruct(e.objects[r.obj].typ, r.path)
	l := e.program.survey.lodgings[typ+path]
	if l == nil || l.mixed || path != l.path {
		return 0
	}
	v := e.content(s, ref{r.obj, outer + l.arena}, Arena, "", 0)
	if len(v.refs) != 1 || v.bits&(lost|many) != 0 || e.objects[v.refs[0].obj].kind != anArena {
		return 0
	}
	return v.refs[0].obj
}

// lodging is the fate of memory in an arena, which may be freed by now.
func (e *engine) lodging(s *state, arena int) status {
	a := s.objs[arena]
	return status{arena: arena, dead: a.dead, lost: a.dead != 0 && a.lost}
}

// lodgers makes the memory known that lies in an arena of a struct from outside, before the
// arena ends.
func (e *engine) lodgers(s *state, arena int) {
	of := e.objects[arena].of
	if of == nil || !e.objects[of.obj].outside {
		return
	}
	typ, outer, path := e.innerStruct(e.objects[of.obj].typ, of.path)
	for _, l := range e.program.survey.lodgers[typ] {
		if l.arena != path || l.mixed {
			continue
		}
		field, isElements := strings.CutSuffix(outer+l.path, elements)
		v := e.content(s, ref{of.obj, field}, Reference, l.typ, 0)
		if c := (cell{0, elements + endedElements}); isElements && len(v.refs) == 1 && v.refs[0].path == "" {
			c.obj = v.refs[0].obj
			if _, had := s.cells[c]; !had {
				all := e.object(fmt.Sprint("elements of ", of.obj, outer, l.path))
				s.objs[all.id] = status{arena: arena}
				s.cells[c] = to(ref{all.id, ""})
			}
		}
	}
}

// lodger is memory that lies in the arena of a value that a container or a long function
// returned, together with all that it leads to.
func (e *engine) lodger(s *state, r ref, arena int, typ string) value {
	o := e.objects[r.obj]
	depth := 0
	for at := o; at.of != nil; at = e.objects[at.of.obj] {
		depth++
	}
	if depth > maxPath {
		return value{bits: other | lost}
	}
	in := e.renewed(s, o.key+r.path+">")
	in.typ, in.taken, in.of, in.name = strings.TrimPrefix(typ, "*"), true, &ref{o.id, r.path}, o.name
	s.objs[in.id] = e.lodging(s, arena)
	v := to(ref{in.id, ""})
	s.cells[cell(r)] = v
	return v
}
