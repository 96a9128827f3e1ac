package closure

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// fixed reports whether the receiver of a method value is the same in all iterations:
// a variable from before the loop or fields of it, which the loop does not change.
func fixed(source *rewrite.Source, loop inspector.Cursor, sel *ast.SelectorExpr) bool {
	info := source.Info
	v := rewrite.Root(info, sel.X)
	if v == nil || within(loop.Node(), v.Pos()) {
		return false
	}
	path := map[types.Object]bool{v: true}
	for x := ast.Unparen(sel.X); rewrite.Variable(info, x) != v; {
		field, ok := x.(*ast.SelectorExpr)
		if !ok {
			return false // an element, which anybody may change, or a call
		}
		if info.Uses[field.Sel] == v {
			break // of another package
		}
		path[info.Uses[field.Sel]] = true
		x = ast.Unparen(field.X)
	}
	return !changes(info, loop, path) && (!copies(info, sel) || constant(source, loop, sel.X))
}

// changes reports whether a loop, or a closure of the function around it, assigns a
// variable or field of a path or takes its address.
func changes(info *types.Info, loop inspector.Cursor, path map[types.Object]bool) bool {
	outermost := loop
	for fn := range loop.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		outermost = fn
	}
	for c := range outermost.Preorder((*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.RangeStmt)(nil), (*ast.UnaryExpr)(nil)) {
		if !loop.Contains(c) && rewrite.Function(c) == rewrite.Function(loop) {
			continue
		}
		for _, place := range changed(c.Node()) {
			if path[last(info, place)] {
				return true
			}
		}
	}
	return false
}

// changed returns the places that a statement or expression assigns or takes the
// address of.
func changed(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		return []ast.Expr{n.Key, n.Value}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	}
	return nil
}

// last returns the variable or field that a place is, or nil.
func last(info *types.Info, place ast.Expr) types.Object {
	switch e := ast.Unparen(place).(type) {
	case *ast.Ident:
		return info.Uses[e]
	case *ast.SelectorExpr:
		return info.Uses[e.Sel]
	}
	return nil
}

// copies reports whether a method value holds a copy of a struct or the like, and not
// a pointer or an interface.
func copies(info *types.Info, sel *ast.SelectorExpr) bool {
	switch info.Selections[sel].Obj().(*types.Func).Signature().Recv().Type().Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Chan, *types.Signature:
		return false
	}
	return true
}

// constant reports whether a value that is copied is a local variable that the loop
// does not change, not even in part.
func constant(source *rewrite.Source, loop inspector.Cursor, x ast.Expr) bool {
	info := source.Info
	v := rewrite.Variable(info, x)
	if v == nil || !source.Local(rewrite.Function(loop), v) {
		return false
	}
	if _, pointer := v.Type().Underlying().(*types.Pointer); pointer {
		return false
	}
	for c := range loop.Preorder((*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil)) {
		for _, place := range changed(c.Node()) {
			if rewrite.Root(info, place) == v {
				return false
			}
		}
	}
	return true
}
