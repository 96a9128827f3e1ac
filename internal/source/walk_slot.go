package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// replace notes the slices whose elements an assignment gives other values, or the zero value.
func (w *walker) replace(n *ast.AssignStmt) {
	if n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
		return
	}
	for i, l := range n.Lhs {
		x, ok := ast.Unparen(l).(*ast.IndexExpr)
		if !ok {
			continue
		}
		if _, ok := underlying(w.typeOf(x.X)).(*types.Slice); !ok {
			continue
		}
		into := w.slots
		if isZero(n.Rhs[i]) {
			into = w.zeroed
		}
		for _, o := range w.objects(x.X) {
			if _, known := into[o]; !known {
				into[o] = n.Pos()
			}
		}
	}
}

// slot notes a value that is stored in an element of a slice, which keeps it until it gets
// another. Nothing is noted of a slice whose elements the package also sets to zero, nor of a
// value that only changes its place in the slice.
func (w *walker) slot(x *ast.IndexExpr, stored []ast.Expr) {
	s, ok := underlying(w.typeOf(x.X)).(*types.Slice)
	if !ok || !refers(s.Elem()) || len(stored) != 1 || isZero(stored[0]) || w.leftAt(x.X, w.zeroed).Line > 0 {
		return
	}
	if from, ok := ast.Unparen(stored[0]).(*ast.IndexExpr); ok && share(w.objects(from.X), w.objects(x.X)) {
		return
	}
	a := w.growth(x.X)
	a.Kind, a.Slot, a.Type, a.Value = Keep, true, w.name(s), w.valueOf(stored[0])
	a.Text = w.text(x) + " = " + w.text(stored[0])
	w.add(x.Lbrack, a)
}

// isRing reports whether a slice is appended to only while it has less than some length, and gets
// its values in place of others after that.
func (w *walker) isRing(slice ast.Expr) bool {
	if w.leftAt(slice, w.slots).Line == 0 {
		return false
	}
	length := "len(" + types.ExprString(slice) + ")"
	for _, n := range w.stack {
		if s, ok := n.(*ast.IfStmt); ok {
			c, ok := s.Cond.(*ast.BinaryExpr)
			if ok && c.Op == token.LSS && types.ExprString(c.X) == length {
				return true
			}
		}
	}
	return false
}

// isZero reports whether an expression is nil or a literal without elements.
func isZero(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	return ok && len(lit.Elts) == 0 || isNil(e)
}
