package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// slicing notes parts of slices and strings that are put where they outlive the
// function: a map, a field, a global, a return value, another slice.
func (w *walker) slicing(n *ast.SliceExpr) {
	t := w.typeOf(n.X)
	if t == nil {
		return
	}
	if _, ok := t.Underlying().(*types.Slice); !ok && !isText(t) {
		return
	}
	if !w.kept(n) {
		return
	}
	a := Allocation{Kind: Slicing, Text: w.text(n), Type: w.name(t), Target: w.text(n.X)}
	if at := w.assignedBefore(n.X); at.IsValid() {
		p := w.fset.Position(at)
		a.Made = Position{File: p.Filename, Line: p.Line, Column: p.Column}
	}
	w.add(n.Lbrack, a)
}

// kept reports whether a part is stored: assigned to anything but a local variable, to a
// local that the function stores or returns, or to an element, or returned.
func (w *walker) kept(part *ast.SliceExpr) bool {
	n, parent := w.unconverted(part)
	switch p := parent.(type) {
	case *ast.AssignStmt:
		for i, r := range p.Rhs {
			if ast.Unparen(r) != n || i >= len(p.Lhs) {
				continue
			}
			if types.ExprString(p.Lhs[i]) == types.ExprString(part.X) {
				return false // s = s[i:] moves on within memory that is held anyway
			}
			id, local := p.Lhs[i].(*ast.Ident)
			if !local || w.outlives(p.Lhs[i]) {
				return true
			}
			return w.storedLater(id)
		}
	case *ast.CallExpr:
		id, ok := p.Fun.(*ast.Ident)
		return ok && id.Name == "append" && !p.Ellipsis.IsValid() && len(p.Args) > 0 && p.Args[0] != n
	case *ast.KeyValueExpr, *ast.CompositeLit, *ast.ReturnStmt, *ast.SendStmt:
		return true
	}
	return false
}

// unconverted returns the expression that a node is once it is converted to other
// types, and the node around that.
func (w *walker) unconverted(e ast.Expr) (ast.Expr, ast.Node) {
	for i := len(w.stack) - 1; i >= 0; i-- {
		switch p := w.stack[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.CallExpr:
			if w.info.Types[p.Fun].IsType() {
				e = p
				continue
			}
		}
		return e, w.stack[i]
	}
	return e, nil
}

// assignedBefore returns where the function last gave a local variable a value
// before the node; no position for parameters and anything but a local variable.
func (w *walker) assignedBefore(e ast.Expr) (at token.Pos) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	body := w.function()
	if !ok || body == nil {
		return token.NoPos
	}
	v := w.object(id)
	ast.Inspect(body, func(n ast.Node) bool {
		var given []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.End() < e.Pos() {
				given = n.Lhs
			}
		case *ast.RangeStmt:
			if n.X.End() < e.Pos() {
				given = []ast.Expr{n.Key, n.Value}
			}
		}
		for _, l := range given {
			if x, ok := l.(*ast.Ident); ok && v != nil && w.object(x) == v {
				at = n.Pos()
			}
		}
		return true
	})
	return at
}

// storedLater reports whether the function puts a local variable elsewhere as it
// is: into an element, a field, a literal, a slice.
func (w *walker) storedLater(id *ast.Ident) bool {
	v := w.object(id)
	found := false
	is := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.Ident)
		return ok && v != nil && w.object(x) == v
	}
	body := w.function()
	if body == nil {
		return false
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				if i < len(n.Lhs) && is(r) {
					if _, local := n.Lhs[i].(*ast.Ident); !local || w.outlives(n.Lhs[i]) {
						found = true
					}
				}
			}
			for _, l := range n.Lhs { // m[part] = v keeps the key
				if x, ok := l.(*ast.IndexExpr); ok && is(x.Index) {
					if _, ok := underlying(w.typeOf(x.X)).(*types.Map); ok {
						found = true
					}
				}
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				found = found || is(e)
			}
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				found = found || is(r)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "append" && !n.Ellipsis.IsValid() {
				for _, a := range n.Args[min(1, len(n.Args)):] {
					found = found || is(a)
				}
			}
		}
		return !found
	})
	return found
}
