package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// pop notes an assignment by which a slice becomes shorter while its array still refers to the
// elements that were taken: s = s[:n-1] or s = s[1:] in a function that overwrites no
// element and hands the slice to nobody who may, or s = s[:0] in one that overwrites none.
func (w *walker) pop(n *ast.AssignStmt, stack []ast.Node) {
	if n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
		return
	}
	for i, l := range n.Lhs {
		part, ok := ast.Unparen(n.Rhs[i]).(*ast.SliceExpr)
		if !ok || part.Slice3 {
			continue
		}
		s, ok := underlying(w.typeOf(l)).(*types.Slice)
		targets := w.objects(l)
		if !ok || !refers(s.Elem()) || !share(targets, w.objects(part.X)) {
			continue
		}
		into, body := w.popped, enclosing(stack)
		switch {
		case w.takesAll(part) && !w.overwrites(body, targets, false):
			into = w.emptied
		case !w.takes(part) || w.overwrites(body, targets, true):
			continue
		}
		for _, o := range targets {
			if _, known := into[o]; !known {
				into[o] = n.Pos()
			}
		}
	}
}

// takesAll reports whether a part is s[:0], which keeps the array for the next elements.
func (w *walker) takesAll(part *ast.SliceExpr) bool {
	return part.Low == nil && part.High != nil && types.ExprString(part.High) == "0"
}

// takes reports whether a part leaves one end of its slice out, and not all of it.
func (w *walker) takes(part *ast.SliceExpr) bool {
	constant := func(e ast.Expr) bool { return e == nil || w.info.Types[e].Value != nil }
	if part.Low == nil {
		return part.High != nil && !constant(part.High) // s[:0] is used again from its start
	}
	return part.High == nil && types.ExprString(part.Low) != "0"
}

// share reports whether some object is in both lists.
func share(a, b []types.Object) bool {
	return slices.ContainsFunc(a, func(o types.Object) bool { return slices.Contains(b, o) })
}

func enclosing(stack []ast.Node) *ast.BlockStmt {
	for i := len(stack) - 1; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.FuncDecl:
			return n.Body
		case *ast.FuncLit:
			return n.Body
		}
	}
	return nil
}

// overwrites reports whether a function assigns to an element of the slice or clears it, or, if
// handed is set, hands it to a function that may.
func (w *walker) overwrites(body *ast.BlockStmt, slice []types.Object, handed bool) (found bool) {
	if body == nil {
		return true
	}
	is := func(e ast.Expr) bool {
		if part, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
			e = part.X
		}
		return share(slice, w.objects(e))
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if x, ok := ast.Unparen(l).(*ast.IndexExpr); ok && is(x.X) {
					found = true
				}
			}
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			if ok && (id.Name == "len" || id.Name == "cap") || !handed && !(ok && id.Name == "clear") {
				return true
			}
			for _, a := range n.Args {
				found = found || is(a)
			}
		}
		return !found
	})
	return found
}

// refers reports whether values of a type refer to other memory.
func refers(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0 || t.Kind() == types.UnsafePointer
	case *types.Array:
		return refers(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if refers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// leftAt returns where the package takes elements from a slice and leaves them in its array:
// by the variable, or by a method of its type, as container/heap calls it. places are popped
// or emptied.
func (w *walker) leftAt(target ast.Expr, places map[types.Object]token.Pos) Position {
	all := w.objects(target)
	if named, ok := types.Unalias(w.typeOf(target)).(*types.Named); ok {
		all = append(all, named.Obj())
	}
	for _, o := range all {
		if at, ok := places[o]; ok {
			return w.position(at)
		}
	}
	return Position{}
}
