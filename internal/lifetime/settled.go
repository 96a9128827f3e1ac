package lifetime

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"
)

// changes notes the functions that may take away the value of a field or a variable of the
// package. Code of other packages cannot, unless it calls one of them.
type changes struct {
	program *program
	// places are the functions that set a field or a variable, by its place. A function that
	// makes the struct, or adds to a list or a map, takes nothing away.
	places map[string][]string
	// types are the functions that overwrite a whole struct.
	types map[string][]string
}

// at is the place of an address. The fields of a variable go by the type of their struct,
// as a method sees them.
func (ch *changes) at(c *Code, at Operand) string {
	place, base := c.placeOf(at), at
	var outer *Instr
	for def := c.definition(base); def != nil && def.Op == Field; def = c.definition(base) {
		outer, base = def, def.X[0]
	}
	if outer == nil || base >= 0 || c.Consts[^base].Kind != Global {
		return place
	}
	return outer.Type + strings.TrimPrefix(place, "global "+c.Consts[^base].Name)
}

// note notes the change by an instruction.
func (ch *changes) note(c *Code, in *Instr) {
	if c.src == nil {
		return
	}
	fn := nameOf(outermost(c.src))
	switch in.Op {
	case Load, Field, Index, Wrap, Return, Phi, Extract:
		return
	case Store:
		place := ch.at(c, in.X[0])
		if place != "" && !c.local(in.X[0]) && !ch.extends(c, in.X[1], place, 0) && !c.inArena(in.X[1], 0) {
			ch.places[place] = append(ch.places[place], fn)
		}
		if store, ok := in.src.(*ssa.Store); ok && in.Class == Whole && !c.local(in.X[0]) {
			typ := typeName(store.Val.Type())
			ch.types[typ] = append(ch.types[typ], fn)
		}
		return
	case Call, Defer:
		if in.Name == "delete" || in.Name == "clear" {
			if load := c.definition(in.X[1]); load != nil && load.Op == Load {
				place := ch.at(c, load.X[0])
				ch.places[place] = append(ch.places[place], fn)
			}
		}
	}
	for _, x := range in.X { // the address goes elsewhere
		if def := c.definition(x); def != nil && def.Op == Field {
			place := ch.at(c, x)
			ch.places[place] = append(ch.places[place], fn)
		}
	}
}

// inArenas are the methods whose result lies in the arena of their receiver.
var inArenas = []string{"(*Buffer).Bytes", "(*Buffer).String", "(*Slab).New"}

// inArena reports whether a value is memory of an arena. If it takes the place of other such
// memory, that is no better.
func (c *Code) inArena(x Operand, depth int) bool {
	def := c.definition(x)
	if def == nil || depth > 4 {
		return false
	}
	switch def.Op {
	case Move, Wrap, Extract:
		return c.inArena(def.X[0], depth+1)
	case Call:
		short, ok := arenaName(def.Name)
		return ok && (allocates[short] || slices.Contains(inArenas, short))
	}
	return false
}

// extends reports whether a value is the list at a place with more elements.
func (ch *changes) extends(c *Code, x Operand, place string, depth int) bool {
	def := c.definition(x)
	if def == nil || depth > 4 {
		return false
	}
	switch def.Op {
	case Load:
		return ch.at(c, def.X[0]) == place
	case Extract:
		return def.Number == 0 && ch.extends(c, def.X[0], place, depth+1)
	case Move:
		return def.Name == "slice" && ch.extends(c, def.X[0], place, depth+1)
	case Call:
		if i := ch.program.extended(def.Name); i >= 0 && !def.Flag {
			return ch.extends(c, def.X[i+1], place, depth+1)
		}
		if def.Name == "append" && len(def.X) > 1 {
			return ch.extends(c, def.X[1], place, depth+1)
		}
		if short, ok := arenaName(def.Name); ok && short == "Append" {
			return ch.extends(c, def.X[2], place, depth+1)
		}
	case Phi:
		for _, x := range def.X {
			if !ch.extends(c, x, place, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// settled reports whether a call of code that is not followed leaves a cell as it is: the
// cell belongs to a field or a variable that only the package can set, and no function does,
// or only those that are running, which would set it to the same kind of value again.
func (e *engine) settled(c cell) bool {
	by, known := e.changers[c]
	if !known {
		by = e.changersOf(c)
		e.changers[c] = by
	}
	if by == nil {
		return false
	}
	for _, fn := range *by {
		if !e.isRunning(fn) {
			return false
		}
	}
	return true
}

func (e *engine) isRunning(fn string) bool {
	for _, p := range e.stack {
		if p.code.src != nil && nameOf(outermost(p.code.src)) == fn {
			return true
		}
	}
	return false
}

// changersOf are the functions that may change a cell, nil if others may as well.
func (e *engine) changersOf(c cell) *[]string {
	place := e.placeOf(c)
	pkg := e.program.pass.Pkg.Path() + "."
	rest, own := strings.CutPrefix(strings.TrimPrefix(place, "global "), pkg)
	parts := strings.Split(withoutArguments(rest), ".")
	public := !private(parts[0]) && (strings.HasPrefix(place, "global ") || len(parts) < 2 || !private(parts[1]))
	if !own || public || strings.Contains(place, "*") {
		return nil
	}
	ch, all := &e.program.survey.changes, []string{}
	for at := place; ; {
		all = append(all, ch.places[at]...)
		i := strings.LastIndexByte(at, '.')
		if i < len(pkg) {
			break
		}
		at = at[:i]
	}
	if i := strings.LastIndexByte(place, '.'); !strings.HasPrefix(place, "global ") && i > 0 {
		all = append(all, ch.types[pkg+parts[0]]...)
	}
	return &all
}

// placeOf names the field or the variable to which a cell belongs, also if the cell is an
// element of the list or the map in it, "" if that is not known.
func (e *engine) placeOf(c cell) string {
	o, path := e.objects[c.obj], c.path
	if (path == elements || path == keys) && o.of != nil {
		o, path = e.objects[o.of.obj], o.of.path
	}
	if strings.Contains(path, "[") {
		return ""
	}
	if o.of == nil && strings.HasPrefix(o.key, "global ") {
		if typ := e.program.typeOf(o.key); typ != "" && path != "" {
			return typ + path
		}
		return o.key + path
	}
	if o.typ == "" || path == "" {
		return ""
	}
	return o.typ + path
}

// typeOf is the type of a variable of the package, by its key.
func (p *program) typeOf(key string) string {
	name, own := strings.CutPrefix(key, "global "+p.pass.Pkg.Path()+".")
	if v := p.pass.Pkg.Scope().Lookup(name); own && v != nil {
		return typeName(v.Type())
	}
	return ""
}

// private reports whether a name belongs to its package alone.
func private(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return !unicode.IsUpper(r)
}
