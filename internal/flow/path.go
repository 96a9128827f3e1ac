package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/heapwright/heapwright/internal/source"
)

// Follows reports whether the calls of a path, the innermost function first and
// the root last, are among those that were followed from the root. Objects made
// behind another call, of a function value or by a library, have unknown flows,
// even if the flows of the same line's objects elsewhere are known.
func (p *Program) Follows(path []source.Place) bool {
	if p == nil || len(path) == 0 {
		return false
	}
	root := path[len(path)-1]
	fn := p.function(p.index.Local(root.Function, root.File), root.Line)
	h := p.solved[question{fn: fn}]
	if fn == nil || h == nil {
		return false
	}
	for i, callee := range path[:len(path)-1] {
		caller := path[i+1]
		switch from, to := p.index.Local(caller.Function, caller.File), p.index.Local(callee.Function, callee.File); {
		case to == "" || from == "":
			if name := caller.Function; from == "" && known(name) == anything {
				return false
			}
		case !h.calls(p.function(to, callee.Line), from, caller.Line):
			return false
		}
	}
	return true
}

// calls reports whether a line was seen to call a function.
func (h *heap) calls(fn *ssa.Function, file string, line int) bool {
	for _, pos := range h.callers[fn] {
		if h.program.line(pos) == line && h.program.file(pos) == file {
			return true
		}
	}
	return false
}

// noteCall notes that a function is called at a position; an instance of a generic
// function counts as the function.
func (h *heap) noteCall(fn *ssa.Function, at token.Pos) {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	h.callers[fn] = append(h.callers[fn], at)
}
