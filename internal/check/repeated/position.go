package repeated

import (
	"go/ast"
	"go/token"
)

// Position returns the position that the compiler gives an expression in its
// messages and profiles: that of the operator, bracket, dot or brace where one
// makes the expression (cmd/compile/internal/syntax, nodes.go).
func Position(e ast.Expr) token.Pos {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.OpPos
	case *ast.CallExpr:
		return e.Lparen
	case *ast.IndexExpr:
		return e.Lbrack
	case *ast.IndexListExpr:
		return e.Lbrack
	case *ast.SliceExpr:
		return e.Lbrack
	case *ast.SelectorExpr:
		return e.X.End() // the dot, as gofmt sets it
	case *ast.TypeAssertExpr:
		return e.X.End()
	case *ast.CompositeLit:
		return e.Lbrace
	}
	return e.Pos()
}
