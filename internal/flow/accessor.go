package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// maxAccessor is how many instructions an accessor may have.
const maxAccessor = 50

// accessor reports whether a function only looks its results up: it makes nothing,
// stores nothing and calls nothing but its like.
func (p *Program) accessor(fn *ssa.Function) bool {
	is, ok := p.accessors[fn]
	if !ok {
		p.accessors[fn] = false // in a recursion
		is = p.looksOnly(fn)
		p.accessors[fn] = is
	}
	return is
}

func (p *Program) looksOnly(fn *ssa.Function) bool {
	if !p.build(fn) || len(fn.FreeVars) > 0 {
		return false
	}
	n := 0
	for _, b := range fn.Blocks {
		if n += len(b.Instrs); n > maxAccessor {
			return false
		}
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.Slice, *ssa.ChangeType, *ssa.ChangeInterface,
				*ssa.Phi, *ssa.UnOp, *ssa.Lookup, *ssa.Extract, *ssa.If, *ssa.Jump, *ssa.Return, *ssa.DebugRef:
			case *ssa.BinOp:
				if in.Op == token.ADD && carries(in.Type(), 0) {
					return false // makes a string
				}
			case *ssa.Call:
				if builtin, ok := in.Call.Value.(*ssa.Builtin); ok {
					if name := builtin.Name(); name != "len" && name != "cap" && name != "min" && name != "max" {
						return false
					}
				} else if callee := in.Call.StaticCallee(); callee == nil || !p.accessor(callee) {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// inline adds the constraints of an accessor for one call alone, so that the memory of
// one caller is not found by the others.
func (h *heap) inline(s *site, fn *ssa.Function, args []node) {
	outer := h.values
	h.values = map[ssa.Value]node{}
	for i, param := range fn.Params {
		h.values[param] = args[i]
	}
	var returned [][]node
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			r, ok := in.(*ssa.Return)
			if !ok {
				h.instruction(in)
				continue
			}
			var all []node
			for _, v := range r.Results {
				all = append(all, h.value(v))
			}
			returned = append(returned, all)
		}
	}
	h.values = outer
	for _, all := range returned {
		for i, n := range all {
			h.give(s, i, n)
		}
	}
}
