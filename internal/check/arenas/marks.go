package arenas

import (
	"go/ast"
	"go/types"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// marks returns the arena whose checkpoint an expression takes, nil if it takes none.
func (f *function) marks(e ast.Expr) *types.Var {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	if name, ok := api(f.info, call); !ok || name != "Arena.Mark" {
		return nil
	}
	return f.arena(f.arguments(call)[0])
}

// rewinds returns the arena that a call resets to a checkpoint, and the checkpoint.
func (f *function) rewinds(call *ast.CallExpr) (arena, mark *types.Var) {
	if name, ok := api(f.info, call); !ok || name != "Arena.ResetTo" {
		return nil, nil
	}
	args := f.arguments(call)
	if arena, mark = f.arena(args[0]), rewrite.Variable(f.info, args[1]); mark == nil {
		return nil, nil
	}
	return arena, mark
}

// mark makes a variable the newest checkpoint of an arena. Memory that was allocated
// after an earlier checkpoint of the same variable now survives a rewind to it.
func (s state) mark(arena, v *types.Var) {
	for w, o := range s.from {
		if o.mark == v {
			o.mark = nil
			s.from[w] = o
		}
	}
	s.marks[arena] = v
}

// rewind makes the memory stale that was allocated since a checkpoint.
func (s state) rewind(arena, mark *types.Var) {
	for v, o := range s.from {
		if o.arena == arena && o.mark == mark && o.hold != slab {
			s.stale[v] = past{o, rewound}
			delete(s.from, v)
		}
	}
}

// zero records that a variable has its zero value.
func (s state) zero(v *types.Var) {
	if v != nil && reference(v.Type()) {
		s.from[v] = origin{hold: constant}
	}
}

// atStart is the state at the start of the function.
func (f *function) atStart() state {
	s := newState()
	for _, v := range f.zeroed {
		s.zero(v)
	}
	return s
}
