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
func (s *Source) Replaces(c inspector.Cursor, arg ast.Expr) bool {
	return s.Settled(Function(c), arg) || !calls(s.Info, c)
}

// ReplacesAll reports whether args can stand in the place of the call at c in their order,
// as operands instead of arguments.
func (s *Source) ReplacesAll(c inspector.Cursor, args []ast.Expr) bool {
	fn, settled, quiet := Function(c), true, !calls(s.Info, c)
	for _, arg := range args {
		settled = settled && s.Settled(fn, arg)
		quiet = quiet && Pure(s.Info, arg)
	}
	return settled || quiet
}

// Alone reports whether the statement at c makes no call and receives no value, apart from the
// calls that c belongs to and those that belong to it. The condition of a branch is a
// statement of its own here.
func (s *Source) Alone(c inspector.Cursor) bool { return !calls(s.Info, c) }

// Settled reports whether no call can change e: it consists of constants,
// results of calls, and variables that no other function of fn sees.
func (s *Source) Settled(fn inspector.Cursor, e ast.Expr) bool {
	info := s.Info
	if info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return s.Settled(fn, e.X)
	case *ast.Ident:
		return s.Local(fn, Variable(info, e))
	case *ast.CallExpr:
		_, builtin := typeutil.Callee(info, e).(*types.Builtin)
		return !builtin && !info.Types[e.Fun].IsType()
	case *ast.BinaryExpr:
		return s.Settled(fn, e.X) && s.Settled(fn, e.Y)
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		return sel != nil && sel.Kind() == types.FieldVal && !sel.Indirect() && s.Settled(fn, e.X)
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
	nodes := []ast.Node{(*ast.CallExpr)(nil), (*ast.UnaryExpr)(nil), (*ast.FuncLit)(nil)}
	root.Inspect(nodes, func(n inspector.Cursor) bool {
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
