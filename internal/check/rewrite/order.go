package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// Replaces reports whether the string arg can replace the call at c that copies it.
// Go orders calls, but not the reads of variables among them: in t.name + t.rename(),
// the compiler reads the field last. So nothing else in the statement may change arg.
func Replaces(info *types.Info, c inspector.Cursor, arg ast.Expr) bool {
	return settled(info, Function(c), arg) || !calls(info, c)
}

// settled reports whether no call can change the string e: it consists of constants,
// results of calls, and variables that no other function of fn sees.
func settled(info *types.Info, fn inspector.Cursor, e ast.Expr) bool {
	if info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return settled(info, fn, e.X)
	case *ast.Ident:
		return Local(info, fn, Variable(info, e))
	case *ast.CallExpr:
		_, builtin := typeutil.Callee(info, e).(*types.Builtin)
		return !builtin && !info.Types[e.Fun].IsType()
	case *ast.BinaryExpr:
		return settled(info, fn, e.X) && settled(info, fn, e.Y)
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		return sel != nil && sel.Kind() == types.FieldVal && !sel.Indirect() && settled(info, fn, e.X)
	}
	return false
}

// calls reports whether the statement at c makes a call or receives a value, apart
// from the calls that c belongs to and those that belong to it.
func calls(info *types.Info, c inspector.Cursor) bool {
	root := c
	for ; ; root = root.Parent() {
		if _, stmt := root.Node().(ast.Stmt); stmt {
			break
		}
		switch root.Parent().Node().(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.RangeStmt, *ast.File:
		default:
			continue
		}
		break // the statement has a body, and its condition is an expression of its own
	}
	found := false
	root.Inspect([]ast.Node{(*ast.CallExpr)(nil), (*ast.UnaryExpr)(nil), (*ast.FuncLit)(nil)}, func(n inspector.Cursor) bool {
		switch e := n.Node().(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || e.Op == token.ARROW
		case *ast.CallExpr:
			if n == c {
				return false
			}
			found = found || !n.Contains(c) && !info.Types[e.Fun].IsType() && !IsBuiltin(info, e, "len")
		}
		return !found
	})
	return found
}
