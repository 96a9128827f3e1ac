package rewrite

import (
	"go/ast"
	"go/types"
)

// Same reports whether two expressions have the same syntax and their names denote the
// same objects. It asks equal first about each pair of parts, if equal is not nil. Function
// literals and composite literals are never the same.
func Same(info *types.Info, x, y ast.Expr, equal func(x, y ast.Expr) (same, known bool)) bool {
	x, y = ast.Unparen(x), ast.Unparen(y)
	if equal != nil {
		if same, known := equal(x, y); known {
			return same
		}
	}
	if info.Types[x].IsType() && info.Types[y].IsType() {
		return types.Identical(info.TypeOf(x), info.TypeOf(y))
	}
	same := func(x, y ast.Expr) bool {
		if x == nil || y == nil {
			return x == nil && y == nil
		}
		return Same(info, x, y, equal)
	}
	switch x := x.(type) {
	case *ast.Ident:
		y, ok := y.(*ast.Ident)
		return ok && info.ObjectOf(x) != nil && info.ObjectOf(x) == info.ObjectOf(y)
	case *ast.BasicLit:
		y, ok := y.(*ast.BasicLit)
		return ok && x.Kind == y.Kind && x.Value == y.Value
	case *ast.SelectorExpr:
		y, ok := y.(*ast.SelectorExpr)
		qualified := info.Selections[x] == nil // the name of a package stands before it
		return ok && info.Uses[x.Sel] == info.Uses[y.Sel] && (qualified || same(x.X, y.X))
	case *ast.IndexExpr:
		y, ok := y.(*ast.IndexExpr)
		return ok && same(x.X, y.X) && same(x.Index, y.Index)
	case *ast.SliceExpr:
		y, ok := y.(*ast.SliceExpr)
		return ok && same(x.X, y.X) && same(x.Low, y.Low) && same(x.High, y.High) && same(x.Max, y.Max)
	case *ast.StarExpr:
		y, ok := y.(*ast.StarExpr)
		return ok && same(x.X, y.X)
	case *ast.UnaryExpr:
		y, ok := y.(*ast.UnaryExpr)
		return ok && x.Op == y.Op && same(x.X, y.X)
	case *ast.BinaryExpr:
		y, ok := y.(*ast.BinaryExpr)
		return ok && x.Op == y.Op && same(x.X, y.X) && same(x.Y, y.Y)
	case *ast.CallExpr:
		y, ok := y.(*ast.CallExpr)
		if !ok || len(x.Args) != len(y.Args) || x.Ellipsis.IsValid() != y.Ellipsis.IsValid() || !same(x.Fun, y.Fun) {
			return false
		}
		for i := range x.Args {
			if !same(x.Args[i], y.Args[i]) {
				return false
			}
		}
		return true
	}
	return false
}
