package lifetime

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// An arenaField is a field that holds an arena, as the functions of the package use it.
type arenaField struct {
	typ  *types.Named
	name string
	// made are the stores of new arenas, and deleted is a delete from a map of the type.
	made    []token.Pos
	deleted token.Pos
	// escapes is set if the arena may be freed, or come from elsewhere.
	escapes bool
}

// closers are the names of methods that end a value.
var closers = strings.Fields("Close Stop Release Destroy Shutdown Free Dispose Finish Quit Drop Discard close stop release")

// unfreedFields reports the fields for which the package makes arenas that none of its
// functions can free, though their owners end: they have a method such as Close, or are
// deleted from a map.
func (p *program) unfreedFields(codes []*Code) {
	fields := map[*types.Var]*arenaField{}
	for _, c := range codes {
		for _, in := range c.instrs() {
			p.fieldUse(fields, c, in)
		}
	}
	for _, c := range codes {
		for _, in := range c.instrs() {
			forgets(fields, in)
		}
	}
	all := []*arenaField{}
	for _, f := range fields {
		if !f.escapes && len(f.made) > 0 {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(a, b *arenaField) int { return int(a.made[0] - b.made[0]) })
	for _, f := range all {
		report := func(pos token.Pos) {
			p.faults = append(p.faults, Fault{Kind: Leak, Pos: pos,
				Message: fmt.Sprintf("no function of the package frees the arena in the field %s of %s", f.name, f.typ.Obj().Name())})
		}
		if f.deleted.IsValid() {
			report(f.deleted)
		} else if p.closes(f) {
			report(f.made[0])
		}
	}
}

// closes reports whether the type of a field has a method that ends its values, and does
// not keep the arena for the next one.
func (p *program) closes(f *arenaField) bool {
	return slices.ContainsFunc(slices.Collect(f.typ.Methods()), func(m *types.Func) bool {
		c := p.codes[withoutArguments(m.FullName())]
		if !slices.Contains(closers, m.Name()) || m.Signature().Params().Len() > 0 || c == nil {
			return false
		}
		for name := range c.mentions() {
			if strings.HasSuffix(name, "Arena).Reset") || isPool(name) {
				return false
			}
		}
		return true
	})
}

// fieldUse notes how an instruction uses a field that holds an arena.
func (p *program) fieldUse(fields map[*types.Var]*arenaField, c *Code, in *Instr) {
	if in.Op != Field && in.Op != Part || len(in.vals) == 0 {
		return
	}
	var index int
	switch v := in.src.(type) {
	case *ssa.FieldAddr:
		index = v.Field
	case *ssa.Field:
		index = v.Field
	default:
		return
	}
	of, variable := in.vals[0].Type(), fieldOf(in.vals[0].Type(), index)
	if ptr, ok := of.Underlying().(*types.Pointer); ok {
		of = ptr.Elem()
	}
	named, ok := types.Unalias(of).(*types.Named)
	if !ok || !isArena(variable.Type()) || classOf(variable.Type()) != Arena || named.Obj().Pkg() != p.pass.Pkg {
		return
	}
	variable, named = variable.Origin(), named.Origin()
	f := fields[variable]
	if f == nil {
		f = &arenaField{typ: named, name: variable.Name(), escapes: variable.Exported()}
		fields[variable] = f
	}
	if in.Op == Part {
		f.escapes = f.escapes || !p.borrows(c, in.Dst, nil, 0)
		return
	}
	for _, use := range c.uses(in.Dst) {
		switch {
		case use.Op == Load:
			f.escapes = f.escapes || !p.borrows(c, use.Dst, nil, 0)
		case use.Op == Store && use.X[0] == in.Dst && use.X[1] < 0: // nil
		case use.Op == Store && use.X[0] == in.Dst:
			made := c.definition(use.X[1])
			if made == nil || made.Op != Call || !makesArena(made.Name) || !p.borrows(c, made.Dst, use, 0) {
				f.escapes = true
				continue
			}
			f.made = append(f.made, made.src.Pos())
			if base := c.definition(in.X[0]); base != nil && base.Op == Alloc {
				p.survey.constructed[in.Type+in.Name] = true
			}
		default:
			f.escapes = true
		}
	}
}

// forgets notes the maps from which values with arenas are deleted.
func forgets(fields map[*types.Var]*arenaField, in *Instr) {
	if in.Op != Call || in.Name != "delete" {
		return
	}
	m, ok := in.vals[1].Type().Underlying().(*types.Map)
	if !ok {
		return
	}
	for _, f := range fields {
		if name := strings.TrimPrefix(typeName(m.Elem()), "*"); name != "" && name == typeName(f.typ) && !f.deleted.IsValid() {
			f.deleted = in.src.Pos()
		}
	}
}

func makesArena(name string) bool {
	short, ok := arenaName(name)
	return ok && (short == "NewArena" || short == "(*Pool).Get")
}

// borrows reports whether a function, and those to which it passes a register, only
// allocate in the arena in it. It may be stored by one instruction.
func (p *program) borrows(c *Code, reg Operand, store *Instr, depth int) bool {
	for _, use := range c.uses(reg) {
		_, api := arenaName(use.Name)
		switch {
		case use == store, use.Op == Compare:
		case use.Op != Call && use.Op != Defer:
			return false
		case api:
			if strings.HasSuffix(use.Name, "Arena).Free") || strings.HasSuffix(use.Name, ".NewContext") {
				return false
			}
		default:
			callee := p.codes[use.Name]
			if callee == nil || use.Flag || depth > 4 {
				return false
			}
			for i, x := range use.X[1:] {
				if x == reg && (i >= len(callee.Params) || !p.borrows(callee, Operand(i), nil, depth+1)) {
					return false
				}
			}
		}
	}
	return true
}

// uses are the instructions that read a register.
func (c *Code) uses(reg Operand) (all []*Instr) {
	for _, in := range c.instrs() {
		if slices.Contains(in.X, reg) {
			all = append(all, in)
		}
	}
	return all
}
