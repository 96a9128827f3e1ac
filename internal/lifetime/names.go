package lifetime

import (
	"go/ast"
	"go/token"
	"go/types"

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
					v = f.regs[y]
				}
				if e.reach(s, v)[obj] {
					if name := sourceName(p.in.vals[j]); name != "" {
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
	if refs := v.Referrers(); refs != nil {
		for _, r := range *refs {
			d, ok := r.(*ssa.DebugRef)
			if !ok || d.IsAddr {
				continue
			}
			if id, ok := d.Expr.(*ast.Ident); ok && (best == nil || id.Pos() > best.Pos() && id.Pos() <= pos) {
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

// arenaName is how the source names an arena or a pooled value where it begins.
func (e *engine) arenaName(obj int) string {
	o := e.objects[obj]
	if o.name != "" {
		return o.name
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
func sourceName(v ssa.Value) string {
	if refs := v.Referrers(); refs != nil {
		for _, r := range *refs {
			if d, ok := r.(*ssa.DebugRef); ok && !d.IsAddr {
				if id, ok := d.Expr.(*ast.Ident); ok && id.Name != "_" {
					return id.Name
				}
			}
		}
		for _, r := range *refs {
			switch r := r.(type) {
			case *ssa.Extract:
				if r.Index == 0 {
					return sourceName(r)
				}
			case *ssa.TypeAssert:
				if n := sourceName(r); n != "" {
					return n
				}
			case *ssa.Store:
				if r.Val == v {
					if n := addressName(r.Addr); n != "" {
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
			return addressName(v.X)
		}
	case *ssa.FieldAddr:
		return addressName(v)
	case *ssa.IndexAddr:
		return sourceName(v.X)
	case *ssa.Field:
		return sourceName(v.X)
	case *ssa.MakeInterface:
		return sourceName(v.X)
	case *ssa.ChangeType:
		return sourceName(v.X)
	case *ssa.Convert:
		return sourceName(v.X)
	case *ssa.Slice:
		return sourceName(v.X)
	case *ssa.TypeAssert:
		return sourceName(v.X)
	case *ssa.Range:
		return sourceName(v.X)
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

func addressName(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Alloc:
		return variableName(v.Comment)
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Global:
		return v.Name()
	case *ssa.FieldAddr:
		if base := sourceName(v.X); base != "" {
			return base + "." + fieldOf(v.X.Type(), v.Field).Name()
		}
	case *ssa.IndexAddr:
		return sourceName(v.X)
	}
	return ""
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
