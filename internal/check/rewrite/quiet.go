package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

// Quiet reports whether the statements below c change nothing but local variables of the
// function around: they call nothing but append, len and the like, and what harmless
// accepts, if it is not nil, and assign to no pointer, element or field of one.
func (s *Source) Quiet(c inspector.Cursor, harmless func(*ast.CallExpr) bool) bool {
	fn, quiet := Function(c), true
	local := func(e ast.Expr) bool {
		v := Variable(s.Info, e)
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && (id.Name == "_" || v != nil && s.Local(fn, v))
	}
	ast.Inspect(c.Node(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt:
			quiet = false
		case *ast.UnaryExpr:
			quiet = quiet && n.Op != token.ARROW && n.Op != token.AND
		case *ast.CallExpr:
			quiet = quiet && (s.Info.Types[n.Fun].IsType() || predeclared(s, n) || harmless != nil && harmless(n))
		case *ast.IncDecStmt:
			quiet = quiet && local(n.X)
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				quiet = quiet && local(left)
			}
		case *ast.RangeStmt:
			switch s.Info.TypeOf(n.X).Underlying().(type) {
			case *types.Slice, *types.Array, *types.Pointer, *types.Map, *types.Basic:
			default:
				quiet = false
			}
			quiet = quiet && (n.Key == nil || local(n.Key)) && (n.Value == nil || local(n.Value))
		}
		return quiet
	})
	return quiet
}

// predeclared reports whether a call is one of a predeclared function that changes nothing.
// An append may write to the array of another slice, but only behind that slice's end.
func predeclared(s *Source, call *ast.CallExpr) bool {
	for _, name := range []string{"append", "len", "cap", "min", "max", "make", "new"} {
		if IsBuiltin(s.Info, call, name) {
			return true
		}
	}
	return false
}
