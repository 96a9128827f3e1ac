package source

import (
	"go/ast"
	"go/types"
)

// soleWrite reports whether a call is the only one that its function gives a
// strings.Builder of its own, and stands in no loop.
func (w *walker) soleWrite(n *ast.CallExpr) bool {
	body, b := w.function(), w.builderOf(n)
	if b == nil || body == nil || w.loop() != nil || b.Pos() < body.Pos() || b.Pos() > body.End() {
		return false
	}
	writes := 0
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			id, ok := n.X.(*ast.Ident)
			if !ok || w.info.Uses[id] != b {
				return true
			}
			switch n.Sel.Name {
			case "String", "Len", "Cap", "Grow": // no writes
				return false
			}
		case *ast.Ident:
			if w.info.Uses[n] == b {
				writes++
			}
		}
		return true
	})
	return writes == 1
}

// builderOf returns the strings.Builder variable whose method is called or whose
// address is an argument, nil if there is none.
func (w *walker) builderOf(n *ast.CallExpr) types.Object {
	var given []ast.Expr
	if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
		given = append(given, sel.X)
	}
	for _, arg := range n.Args {
		if address, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok {
			given = append(given, address.X)
		}
	}
	for _, e := range given {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			continue
		}
		if v, ok := w.info.Uses[id].(*types.Var); ok && types.TypeString(v.Type(), nil) == "strings.Builder" {
			return v
		}
	}
	return nil
}
