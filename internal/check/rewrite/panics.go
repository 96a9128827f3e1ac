package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Panics reports whether evaluating an expression that Pure accepts may panic: it follows a
// pointer, indexes, slices, divides, shifts, or compares values of interfaces.
func Panics(info *types.Info, expr ast.Expr) (may bool) {
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StarExpr, *ast.SliceExpr:
			may = true
		case *ast.IndexExpr:
			_, array := info.TypeOf(n.X).Underlying().(*types.Array)
			may = may || !array || info.Types[n.Index].Value == nil
		case *ast.SelectorExpr:
			sel := info.Selections[n]
			may = may || sel != nil && sel.Indirect()
		case *ast.BinaryExpr:
			may = may || fails(info, n)
		case *ast.CallExpr:
			if info.Types[n.Fun].IsType() {
				_, basic := info.TypeOf(n.Fun).Underlying().(*types.Basic)
				may = may || !basic // a slice may be too short for an array
			}
		}
		return !may
	})
	return may
}

// fails reports whether an operator may panic.
func fails(info *types.Info, e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		y := info.Types[e.Y].Value
		return y == nil || constant.Sign(y) <= 0
	case token.EQL, token.NEQ:
		if info.Types[e.X].IsNil() || info.Types[e.Y].IsNil() {
			return false
		}
		_, x := info.TypeOf(e.X).Underlying().(*types.Basic)
		_, y := info.TypeOf(e.Y).Underlying().(*types.Basic)
		return !x || !y
	}
	return false
}
