package arenas

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// A keep is a parameter that is an arena, and the parameter through which its memory
// is kept; -1 stands for a package-level variable.
type keep struct{ Arena, In int }

// keep records that memory of an arena is kept in a variable, or behind it. A nil
// root stands for a package-level variable.
func (f *function) keep(arena, root *types.Var, through bool) {
	k := keep{slices.Index(f.params, arena), slices.Index(f.params, root)}
	kept := root == nil || global(root) || k.In >= 0 && through
	if root == nil {
		k.In = -1
	}
	if f.speak && kept && k.Arena >= 0 && !f.ending[arena] && !slices.Contains(f.kept, k) {
		f.kept = append(f.kept, k)
	}
}

func global(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// keeps reports a call that keeps memory of an arena which the function ends.
func (f *function) keeps(call *ast.CallExpr, s state) {
	b := f.behaviour(call)
	if b == nil {
		return
	}
	args := f.arguments(call)
	for _, k := range b.Keeps {
		if k.Arena >= len(args) || k.In >= len(args) {
			continue
		}
		arena := f.arena(args[k.Arena])
		if arena == nil {
			continue
		}
		where := "a package's variable"
		if k.In >= 0 {
			in := ast.Unparen(args[k.In])
			refers := rewrite.Variable(f.info, in) != nil
			if p, ok := in.(*ast.UnaryExpr); ok && p.Op == token.AND {
				in = p.X
			}
			root := rewrite.Root(f.info, in)
			if root == nil || s.from[root].arena == arena || f.sets(root) || f.replaces(root, call) {
				continue
			}
			refers = refers || through(f.info, in)
			f.keep(arena, root, refers)
			if !global(root) && (!f.outlives(root) || !refers) {
				continue
			}
			where = "what " + root.Name() + " refers to"
		} else {
			f.keep(arena, nil, true)
		}
		if f.endsAfter(arena, s) && (k.In >= 0 || !f.setsGlobals(call)) {
			f.report(Escape, call, call, fmt.Sprintf("%s keeps memory of the arena %s in %s, but %s ends in this function", callName(call), arena.Name(), where, arena.Name()))
		}
	}
}

// callName is the name of the function that a call names.
func callName(call *ast.CallExpr) string {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return sel.Sel.Name
	}
	return types.ExprString(call.Fun)
}

// sets reports whether the function assigns a place behind a variable: that may
// replace the memory before its arena ends.
func (f *function) sets(root *types.Var) bool {
	for c := range f.cursor.Preorder((*ast.AssignStmt)(nil)) {
		for _, l := range c.Node().(*ast.AssignStmt).Lhs {
			if rewrite.Variable(f.info, l) == nil && rewrite.Root(f.info, l) == root {
				return true
			}
		}
	}
	return false
}
