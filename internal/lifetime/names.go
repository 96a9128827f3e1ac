package lifetime

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// nameAt is how the source names an operand of the current instruction. Further up it
// is the argument that leads to the object.
func (e *engine) nameAt(s *state, x Operand, obj int) string {
	p, ok := e.place(e.stack)
	if !ok {
		return ""
	}
	for i, y := range p.in.X {
		if y != none && i < len(p.in.vals) && p.in.vals[i] != nil && x == y && e.inside(e.stack) {
			if name := baseName(p.in.vals[i], position(p)); name != "" {
				return name
			}
		}
	}
	for i, f := range s.frames {
		if f.code == p.code && i < len(e.stack) && e.stack[i].in == p.in {
			for j, y := range p.in.X {
				if y == none || p.in.vals[j] == nil {
					continue
				}
				v := value{}
				if y >= 0 {
					v = f.reg(y)
				}
				if e.reach(s, v)[obj] {
					if name := listName(p.in.vals[j], position(p)); name != "" {
						return name
					}
				}
			}
		}
	}
	if name := e.arenaName(obj); name != "" {
		return name
	}
	return "memory"
}

// baseName is the name of the variable through which a value is used at a position.
func baseName(v ssa.Value, pos token.Pos) string {
	var best *ast.Ident
	line := func(p token.Pos) int { return v.Parent().Prog.Fset.Position(p).Line }
	if refs := v.Referrers(); refs != nil {
		for _, r := range *refs {
			d, ok := r.(*ssa.DebugRef)
			if !ok || d.IsAddr {
				continue
			}
			id, ok := variableOf(d)
			if ok && (best == nil || id.Pos() > best.Pos() && line(id.Pos()) <= line(pos)) {
				best = id
			}
		}
	}
	if best != nil && best.Name != "_" {
		return best.Name
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return baseName(v.X, pos)
	case *ssa.IndexAddr:
		return baseName(v.X, pos)
	case *ssa.MakeInterface:
		return baseName(v.X, pos)
	case *ssa.Slice:
		return baseName(v.X, pos)
	}
	return sourceName(v)
}

// listName is the name of an argument, or of a value among those of a variadic call.
func listName(v ssa.Value, pos token.Pos) string {
	if slice, ok := v.(*ssa.Slice); ok {
		if list, ok := slice.X.(*ssa.Alloc); ok && list.Comment == "varargs" {
			for _, r := range *list.Referrers() {
				at, ok := r.(*ssa.IndexAddr)
				if !ok {
					continue
				}
				for _, r := range *at.Referrers() {
					store, ok := r.(*ssa.Store)
					if !ok {
						continue
					}
					val := store.Val
					if boxed, ok := val.(*ssa.MakeInterface); ok {
						val = boxed.X
					}
					if _, constant := val.(*ssa.Const); !constant && classOf(val.Type()) != Scalar {
						if name := baseName(val, pos); name != "" {
							return name
						}
					}
				}
			}
		}
	}
	return baseName(v, pos)
}

// variableOf returns the variable that holds a value.
func variableOf(d *ssa.DebugRef) (*ast.Ident, bool) {
	id, ok := d.Expr.(*ast.Ident)
	if v, isVar := d.Object().(*types.Var); isVar && v.IsField() {
		return nil, false
	}
	return id, ok && id.Name != "_"
}

// arenaName is how the source names an arena or a pooled value where it begins.
func (e *engine) arenaName(obj int) string {
	o := e.objects[obj]
	if o == nil {
		return ""
	}
	if o.name != "" {
		return o.name
	}
	if o.of != nil {
		if name := e.arenaName(o.of.obj); name != "" {
			return name + strings.ReplaceAll(o.of.path, elements, "")
		}
	}
	p, ok := e.place(o.at)
	if !ok || p.in == nil {
		return ""
	}
	v, ok := p.in.src.(ssa.Value)
	if !ok {
		return ""
	}
	return sourceName(v)
}

// sourceName is the name of a value in the source, "" if it has none.
func sourceName(v ssa.Value) string { return nameWithin(v, 8) }

// nameWithin is the same, with a bound for values that lead to themselves.
func nameWithin(v ssa.Value, depth int) string {
	if depth == 0 {
		return ""
	}
	if refs := v.Referrers(); refs != nil {
		for _, r := range *refs {
			if d, ok := r.(*ssa.DebugRef); ok && !d.IsAddr {
				if id, ok := variableOf(d); ok {
					return id.Name
				}
			}
		}
		for _, r := range *refs {
			switch r := r.(type) {
			case *ssa.Extract:
				if r.Index == 0 {
					return nameWithin(r, depth-1)
				}
			case *ssa.TypeAssert:
				if n := nameWithin(r, depth-1); n != "" {
					return n
				}
			case *ssa.Store:
				if r.Val == v {
					if n := addressName(r.Addr, depth-1); n != "" {
						return n
					}
				}
			}
		}
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Alloc:
		return variableName(v.Comment)
	case *ssa.Global:
		return v.Name()
	case *ssa.Phi:
		return variableName(v.Comment)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return addressName(v.X, depth-1)
		}
	case *ssa.FieldAddr:
		return addressName(v, depth-1)
	case *ssa.IndexAddr:
		return nameWithin(v.X, depth-1)
	case *ssa.Field:
		return nameWithin(v.X, depth-1)
	case *ssa.MakeInterface:
		return nameWithin(v.X, depth-1)
	case *ssa.ChangeType:
		return nameWithin(v.X, depth-1)
	case *ssa.Convert:
		return nameWithin(v.X, depth-1)
	case *ssa.Slice:
		return nameWithin(v.X, depth-1)
	case *ssa.TypeAssert:
		return nameWithin(v.X, depth-1)
	case *ssa.Range:
		return nameWithin(v.X, depth-1)
	}
	return ""
}

func variableName(comment string) string {
	switch comment {
	case "complit", "new", "varargs", "slicelit", "makeslice", "&&", "||", "rangeindex", "range":
		return ""
	}
	return comment
}

func addressName(v ssa.Value, depth int) string {
	switch v := v.(type) {
	case *ssa.Alloc:
		return variableName(v.Comment)
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Global:
		return v.Name()
	case *ssa.FieldAddr:
		if base := nameWithin(v.X, depth); base != "" {
			return base + "." + fieldOf(v.X.Type(), v.Field).Name()
		}
		return ""
	case *ssa.IndexAddr:
		return nameWithin(v.X, depth)
	}
	return nameWithin(v, depth)
}

// callName is the name of the function that a call names in the source.
func callName(in *Instr) string {
	c, ok := in.src.(ssa.CallInstruction)
	if !ok {
		return ""
	}
	common := c.Common()
	if common.IsInvoke() {
		return common.Method.Name()
	}
	if fn := common.StaticCallee(); fn != nil {
		if obj, ok := fn.Object().(*types.Func); ok {
			return obj.Name()
		}
	}
	return sourceName(common.Value)
}
