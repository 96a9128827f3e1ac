package lifetime

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A lodging is a field whose memory lies in the arena of another field of the same struct,
// wherever the package sets it.
type lodging struct {
	path, arena, typ string
	mixed            bool
}

// lodges notes in which arena the value lies that a field gets.
func (sv *survey) lodges(c *Code, in *Instr) {
	base, path := c.fieldAt(in.X[0])
	def := c.definition(in.X[0])
	if path == "" || strings.Count(path, ".") != 1 || def.Type == "" || c.src == nil {
		return
	}
	arena, neutral := c.arenaOf(in.X[1], base, path, 0)
	if neutral {
		return
	}
	place := def.Type + path
	l := sv.lodgings[place]
	if l == nil {
		l = &lodging{path: path, arena: arena}
		if store, ok := in.src.(*ssa.Store); ok {
			l.typ = strings.TrimPrefix(typeName(store.Val.Type()), "*")
		}
		sv.lodgings[place] = l
		sv.lodgers[def.Type] = append(sv.lodgers[def.Type], l)
	}
	l.mixed = l.mixed || arena == "" || arena != l.arena || !private(path[1:])
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
func (c *Code) arenaOf(x, base Operand, path string, depth int) (arena string, neutral bool) {
	if x < 0 {
		return "", c.Consts[^x].Kind == Nil || c.Consts[^x].Name == `""`
	}
	def := c.definition(x)
	if def == nil || depth > 6 {
		return "", false
	}
	switch def.Op {
	case Move, Wrap, Extract:
		return c.arenaOf(def.X[0], base, path, depth+1)
	case Load:
		b, p := c.fieldAt(def.X[0])
		return "", b == base && p == path
	case Phi:
		neutral = true
		for _, x := range def.X {
			a, n := c.arenaOf(x, base, path, depth+1)
			if !n && (a == "" || arena != "" && arena != a) {
				return "", false
			}
			if !n {
				arena, neutral = a, false
			}
		}
		return arena, neutral
	case Call:
		if short, ok := arenaName(def.Name); ok && allocates[short] {
			return c.arenaField(def.X[1], base), false
		}
	}
	return "", false
}

// allocates are the functions whose result lies in the arena that is their first argument.
var allocates = map[string]bool{
	"New": true, "MakeSlice": true, "Append": true, "Bytes": true, "String": true, "Concat": true,
	"AlignedBytes": true, "NewMap": true, "NewBuffer": true,
}

// arenaField is the path of the field of a struct that holds an arena.
func (c *Code) arenaField(arena, base Operand) string {
	if load := c.definition(arena); load != nil && load.Op == Load {
		if b, path := c.fieldAt(load.X[0]); b == base {
			return path
		}
	}
	for _, in := range c.stores(base) {
		if in.X[1] == arena {
			if b, path := c.fieldAt(in.X[0]); b == base {
				return path
			}
		}
	}
	return ""
}

// lodged is the arena in which the memory of a field lies, 0 if that is not known.
func (e *engine) lodged(s *state, r ref) int {
	l := e.program.survey.lodgings[e.objects[r.obj].typ+r.path]
	if l == nil || l.mixed || r.path != l.path {
		return 0
	}
	v := e.content(s, ref{r.obj, l.arena}, Arena, "", 0)
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
	for _, l := range e.program.survey.lodgers[e.objects[of.obj].typ] {
		if l.arena == of.path && !l.mixed {
			e.content(s, ref{of.obj, l.path}, Reference, l.typ, 0)
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
