package lifetime

import (
	"cmp"
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// unnamed is the name of an arena without a variable.
const unnamed = "arena"

func (e *engine) describeLeak(c *candidate) (Fault, bool) {
	o := e.objects[c.obj]
	if strings.HasPrefix(c.text, overwritten) {
		at, ok := e.site(c.at)
		return Fault{Kind: Leak, Pos: position(at), Message: c.text}, ok
	}
	p, ok := e.place(o.at)
	exit, ok2 := e.place(c.at)
	if !ok || !ok2 {
		return Fault{}, false
	}
	f := Fault{Kind: Leak, Pos: position(p)}
	v, isValue := p.in.src.(ssa.Value)
	if !isValue {
		return f, false
	}
	name, closer := e.described(c.obj, unnamed), "Free"
	variable := name
	if made, ok := e.site(o.at); ok && c.text == partlyFreed {
		f.Pos = position(made)
		f.Message = fmt.Sprintf("this arena is not freed on the path that ends at line %d, where another one of the same %s is",
			e.program.lineOf(exit), c.name[strings.LastIndexByte(c.name, '.')+1:])
		return f, f.Pos.IsValid()
	}
	if !e.inside(o.at) && !holdsArena(v.Type()) {
		for _, typ := range []string{c.name, typeOf(v)} {
			if closer = e.program.closer(typ); closer != "" {
				break
			}
		}
		if closer == "" && returnsFunction(v.Type()) {
			f.Message = fmt.Sprintf("the function that frees the arena %s is not called on the path that ends at line %d",
				name, e.program.lineOf(exit))
			return f, f.Pos.IsValid()
		}
		if closer == "" && c.field != "" && typeOf(v) == c.name && e.program.isOwnType(c.name) {
			closer = "Free"
			if !strings.HasSuffix(c.field, ".Arena") {
				closer = c.field[1:] + ".Free"
			}
		}
		if closer == "" {
			return f, false
		}
		variable = strings.TrimPrefix(name, "of ")
	}
	f.Message = fmt.Sprintf("the arena %s is not freed on the path that ends at line %d; defer %s.%s()",
		name, e.program.lineOf(exit), variable, closer)
	if name == unnamed {
		f.Message = "nobody can free this arena, which no variable holds"
	}
	f.Related = []analysis.RelatedInformation{{Pos: position(exit), Message: "the path ends here"}}
	return f, f.Pos.IsValid()
}

// isOwnType reports whether a type belongs to the package alone.
func (p *program) isOwnType(name string) bool {
	name, own := strings.CutPrefix(name, p.pass.Pkg.Path()+".")
	return own && private(name)
}

// typeOf is the name of the type of a value, or of the first of several.
func typeOf(v ssa.Value) string {
	t := v.Type()
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		t = tuple.At(0).Type()
	}
	return strings.TrimPrefix(typeName(t), "*")
}

// returnsFunction reports whether one of several results of a call is a function.
func returnsFunction(t types.Type) bool {
	tuple, ok := t.(*types.Tuple)
	if !ok {
		return false
	}
	for v := range tuple.Variables() {
		if sig, ok := v.Type().Underlying().(*types.Signature); ok && sig.Params().Len() == 0 {
			return true
		}
	}
	return false
}

// holdsArena reports whether a call returns an arena.
func holdsArena(t types.Type) bool {
	if tuple, ok := t.(*types.Tuple); ok {
		for v := range tuple.Variables() {
			if isArena(v.Type()) {
				return true
			}
		}
	}
	return isArena(t)
}

func (e *engine) describePool(c *candidate, f Fault) (Fault, bool) {
	if c.death != nil {
		f.Related = e.related(c.death)
	}
	if c.text != "" && c.from != nil && c.death != nil { // it is kept
		from, ok := e.place(c.from)
		if !ok {
			return f, false
		}
		f.Pos = position(from)
		if at, ok := e.site(c.from); ok && e.byCallback(c.from, c.death.at) {
			f.Pos = position(at)
		} else if put, ok := e.place(c.death.at); ok && !e.inside(c.from) && e.inside(c.death.at) {
			f.Pos = position(put)
		}
		f.Message = fmt.Sprintf(c.text, cmp.Or(e.poolName(c.death), c.name, "the value"))
		return f, true
	}
	if c.text != "" {
		return e.describeBeside(c, f)
	}
	owner, by := e.poolName(c.death), "Put"
	end, ok := e.place(c.death.at)
	line := ""
	if ok {
		line = fmt.Sprintf(" (line %d)", e.program.lineOf(end))
	}
	level := min(part(c.death.at, c.at), len(c.at)-1, len(c.death.at)-1)
	u := c.at[level]
	if name := callName(c.death.at[level].in); name != "" {
		by = name
	}
	switch {
	case c.from != nil && c.at[len(c.at)-1].in.Op == Return:
		f.Message = fmt.Sprintf("%s is returned, but the deferred %s%s gives it back first", c.name, by, line)
	case c.use == kept && c.from == nil && c.list:
		if put, ok := e.place(c.death.at); ok {
			f.Pos = position(put)
		}
		f.Message = fmt.Sprintf("%s goes back to the pool, but %s still refers to its memory", owner, c.name)
	case c.use == ended:
		name := c.name
		if level < len(c.at)-1 && owner != "" {
			name = owner
		}
		f.Message = name + " is put into the pool twice"
		if u.late && e.lexicalCode(u.code) {
			f.Pos = position(c.death.at[level])
		}
		if at, ok := e.site(c.at); ok && e.hidden(c, level) {
			f.Pos = position(at)
		}
	case u.late && u.in.Op == Defer && u.in.Name != "" && u.in.Name == c.death.at[level].in.Name &&
		ok && e.inside(c.at[:level+1]):
		f.Pos = position(end)
		f.Message = fmt.Sprintf("%s is given back by %s here, and again by the deferred one", owner, by)
	case u.late && c.death.at[level].late && u.in.Op == Defer && level == len(c.at)-1:
		f.Message = fmt.Sprintf("%s is used by this deferred call after the %s in line %d, which was deferred later and runs first",
			owner, by, e.program.lineOf(c.death.at[level]))
	case u.late && u.in.Op == Defer && level == len(c.at)-1 && ok && !u.code.before(c.death.at[level], u.in):
		f.Pos = position(end)
		f.Message = owner + " is put into the pool before a deferred call uses it"
	case c.name != owner && c.name != "" && owner != "":
		f.Message = fmt.Sprintf("%s shares memory with %s, and is used after %s%s", c.name, owner, by, line)
	default:
		f.Message = fmt.Sprintf("%s is used after %s%s", c.name, by, line)
	}
	return f, f.Pos.IsValid()
}

// byCallback reports whether a function that the one with the end of memory knows only as a value
// or by an interface has kept the memory, and neither is the one that is followed.
func (e *engine) byCallback(kept, end []point) bool {
	i := part(kept, end)
	return i > 0 && i < len(kept)-1 && i < len(end) && !e.lexicalCode(kept[i].code) && kept[i].in.Op == Call &&
		(kept[i].in.Name == "" || kept[i].in.Flag)
}

// describeBeside returns a Put beside a goroutine or after a send. If another function than
// the one that is followed puts the value, and a callback keeps it in a goroutine, the
// goroutine is wrong.
func (e *engine) describeBeside(c *candidate, f Fault) (Fault, bool) {
	f.Message = fmt.Sprintf(c.text, c.name)
	level := part(c.at, c.from)
	if level >= len(c.at) || level >= len(c.from) || e.lexicalCode(c.at[level].code) {
		return f, f.Pos.IsValid()
	}
	end, ok := e.site(c.at)
	if !ok {
		return f, f.Pos.IsValid()
	}
	f.Pos = position(end)
	f.Related = e.path(c.from, "the goroutine uses it here")
	if use, ok := e.inGoroutine(c.from); ok && c.text == putBeside {
		name := e.usedName(use)
		if innermost, ok := e.site(c.from); ok && name == "" {
			name = e.usedName(innermost)
		}
		if name == "" {
			name = c.name
		}
		f.Pos, f.Related = position(use), e.path(c.at, "it is put here")
		f.Message = fmt.Sprintf("%s is used in a goroutine, which may still run when %s has put it into the pool",
			name, outermost(c.at[level].code.src).Name())
	}
	return f, f.Pos.IsValid()
}

// usedName is how the source names the first operand of an instruction.
func (e *engine) usedName(p point) string {
	if len(p.in.vals) == 0 || p.in.vals[0] == nil {
		return ""
	}
	return baseName(p.in.vals[0], position(p))
}

// inGoroutine is the statement of a goroutine that leads to the end of a stack.
func (e *engine) inGoroutine(at []point) (point, bool) {
	for i, p := range at[:len(at)-1] {
		if m := contractOf(p.in.Name); (p.in.Op == Go || m == spawns || m == later) && at[i+1].code.src != nil {
			return at[i+1], position(at[i+1]).IsValid()
		}
	}
	return e.site(at)
}

const putBeside = "%s is put into the pool while a goroutine may still use it"

// hidden reports whether the caller of two functions cannot know that the first one ends the
// object that the second one ends again: it has only a value that holds it, and the first
// function ends it on some paths only.
func (e *engine) hidden(c *candidate, level int) bool {
	first, last := c.death.at, len(c.at)-1
	if first[len(first)-1].code == c.at[last].code || len(e.blamed(c.at, c.obj)) < len(c.at) {
		return false
	}
	for _, p := range first[min(len(first), level+1):] {
		if !p.late && p.block != 0 && !p.code.always(0, p.block) {
			return true
		}
	}
	return false
}

// poolName is how the source names the value that a death put into a pool.
func (e *engine) poolName(d *death) string {
	return e.arenaName(d.of)
}
