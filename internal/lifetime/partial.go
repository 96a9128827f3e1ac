package lifetime

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// partlyFilled reports pooled bytes that are read to their end although a Read may have
// filled only the first of them: the others come from the last user.
func (p *program) partlyFilled(codes []*Code) {
	for _, c := range codes {
		for _, in := range c.instrs() {
			taken, ok := in.src.(*ssa.TypeAssert)
			if !ok || taken.CommaOk {
				continue
			}
			if get, ok := taken.X.(*ssa.Call); ok && isCallOf(get, "(*sync.Pool).Get") {
				p.partlyFilledIn(c, taken)
			}
		}
	}
}

func isCallOf(call ssa.CallInstruction, name string) bool {
	fn := call.Common().StaticCallee()
	return fn != nil && fn.String() == name
}

// partlyFilledIn looks at the uses of pooled bytes, a pointer to a slice or to an array.
func (p *program) partlyFilledIn(c *Code, taken ssa.Value) {
	bytes := wholeBytes(taken)
	var fills, reads []ssa.Instruction
	for _, v := range bytes {
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Slice: // somebody knows how many there are
				return
			case *ssa.Convert:
				reads = append(reads, r)
			case ssa.CallInstruction:
				switch call := r.Common(); {
				case call.IsInvoke() && call.Method.Name() == "Read", isCallOf(r, "io.ReadFull") && goesOnAtEOF(c.src):
					fills = append(fills, r)
				case call.IsInvoke(), call.StaticCallee() == nil, isCallOf(r, "io.ReadFull"):
					return
				default:
					reads = append(reads, r)
				}
			case *ssa.DebugRef:
			default:
				return
			}
		}
	}
	for _, read := range reads {
		for _, fill := range fills {
			from, to := fill.Block().Index, read.Block().Index
			if from == to && fill.Pos() < read.Pos() || from != to && c.reaches(from, to, -1) {
				p.faults = append(p.faults, Fault{Kind: Pool, Pos: read.Pos(), Message: fmt.Sprintf(
					"the pooled bytes are read to their end, but the Read in line %d may fill only a part, and the rest is the last user's",
					p.pass.Fset.Position(fill.Pos()).Line)})
				return
			}
		}
	}
}

// wholeBytes are the slices of all bytes behind a pointer, none if the function does
// something else with the pointer than to put it back.
func wholeBytes(taken ssa.Value) (all []ssa.Value) {
	pointer, ok := taken.Type().Underlying().(*types.Pointer)
	if !ok || !holdsBytes(pointer.Elem()) {
		return nil
	}
	for _, r := range *taken.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			if _, isSlice := r.Type().Underlying().(*types.Slice); !isSlice {
				return nil
			}
			all = append(all, r)
		case *ssa.Slice:
			if r.Low != nil || r.High != nil {
				return nil
			}
			all = append(all, r)
		case *ssa.MakeInterface, *ssa.DebugRef:
		default:
			return nil
		}
	}
	return all
}

func holdsBytes(t types.Type) bool {
	var elem types.Type
	switch t := t.Underlying().(type) {
	case *types.Slice:
		elem = t.Elem()
	case *types.Array:
		elem = t.Elem()
	default:
		return false
	}
	return types.Identical(elem, types.Typ[types.Byte])
}

// goesOnAtEOF reports whether a function compares an error with io.ErrUnexpectedEOF, with
// which io.ReadFull returns less than was asked for.
func goesOnAtEOF(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if load, ok := in.(*ssa.UnOp); ok && load.Op == token.MUL {
				if g, ok := load.X.(*ssa.Global); ok && g.String() == "io.ErrUnexpectedEOF" {
					return true
				}
			}
		}
	}
	return false
}
