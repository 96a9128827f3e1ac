package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// maxAccessor is the number of instructions up to which a function counts as an accessor.
// Each call of an accessor adds constraints for all of them.
const maxAccessor = 50

// accessor reports whether a function only looks its results up: it allocates nothing,
// stores nothing, and calls only other accessors. A recursive function is none.
func (p *Program) accessor(fn *ssa.Function) bool {
	known, ok := p.accessors[fn]
	if !ok {
		p.accessors[fn] = false // the answer for calls of fn inside fn
		known = p.onlyLooksUp(fn)
		p.accessors[fn] = known
	}
	return known
}

func (p *Program) onlyLooksUp(fn *ssa.Function) bool {
	if !p.build(fn) || len(fn.FreeVars) > 0 {
		return false
	}
	size := 0
	for _, b := range fn.Blocks {
		if size += len(b.Instrs); size > maxAccessor {
			return false
		}
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.Slice, *ssa.ChangeType, *ssa.ChangeInterface,
				*ssa.Phi, *ssa.UnOp, *ssa.Lookup, *ssa.Extract, *ssa.If, *ssa.Jump, *ssa.Return, *ssa.DebugRef:
			case *ssa.BinOp:
				if in.Op == token.ADD && carries(in.Type(), 0) {
					return false // joins two strings into a new one
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

// inline adds the constraints of an accessor for one call alone. If all calls shared the
// nodes of its values, the memory that one caller looks up would also be found by the
// others.
func (h *heap) inline(s *site, fn *ssa.Function, args []node) {
	// The constraints of instructions are between the nodes in h.values, so a map of
	// its own gives this call nodes of its own.
	outer := h.values
	h.values = map[ssa.Value]node{}
	for i, param := range fn.Params {
		h.values[param] = args[i]
	}
	var returns [][]node
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			r, ok := in.(*ssa.Return)
			if !ok {
				h.instruction(in)
				continue
			}
			var results []node
			for _, v := range r.Results {
				results = append(results, h.value(v))
			}
			returns = append(returns, results)
		}
	}
	h.values = outer
	for _, results := range returns {
		for i, n := range results {
			h.give(s, i, n)
		}
	}
}
