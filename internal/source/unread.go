package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// findReads notes the variables and fields whose value a file uses. Assigning to them or to an
// element, len and cap, a comparison with nil, and runtime.KeepAlive are no use of it.
func (w *walker) findReads(f *ast.File) {
	ast.PreorderStack(f, nil, func(n ast.Node, stack []ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := w.info.Uses[id].(*types.Var); ok && w.reads(id, stack) {
				w.read[v.Origin()] = true
			}
		}
		return true
	})
}

// reads reports whether a variable's value is used, by the nodes around its name.
func (w *walker) reads(name ast.Expr, stack []ast.Node) bool {
	for _, n := range slices.Backward(stack) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if n.Sel != name {
				return true // a field or a method of it
			}
			name = n
		case *ast.IndexExpr:
			if n.X != name {
				return true
			}
			name = n
		case *ast.ParenExpr:
			name = n
		case *ast.AssignStmt:
			return n.Tok != token.ASSIGN || !slices.Contains(n.Lhs, name)
		case *ast.IncDecStmt:
			return false
		case *ast.BinaryExpr:
			id, ok := n.Y.(*ast.Ident)
			return !ok || id.Name != "nil"
		case *ast.CallExpr:
			id, ok := n.Fun.(*ast.Ident)
			return !(ok && (id.Name == "len" || id.Name == "cap")) && w.callee(ast.Unparen(n.Fun)) != "runtime.KeepAlive"
		default:
			return true
		}
	}
	return true
}

// unread reports whether the value of an expression goes to a variable or field of the package that
// no code of it uses.
func (w *walker) unread(value ast.Expr) bool {
	if len(w.stack) == 0 {
		return false
	}
	a, ok := w.stack[len(w.stack)-1].(*ast.AssignStmt)
	if !ok || len(a.Lhs) != len(a.Rhs) {
		return false
	}
	v, ok := w.object(a.Lhs[slices.Index(a.Rhs, value)]).(*types.Var)
	return ok && v.Name() != "_" && !v.Exported() && v.Pkg() == w.pkg && !w.read[v]
}
