package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// concat notes the outermost + of strings that are not all constant: the
// runtime joins all of its parts at once.
func (w *walker) concat(n *ast.BinaryExpr) {
	if n.Op != token.ADD || !isText(w.typeOf(n)) || w.info.Types[n].Value != nil {
		return
	}
	if p, ok := w.parent().(*ast.BinaryExpr); ok && p.Op == token.ADD {
		return
	}
	a := Allocation{Kind: Concat, Text: w.text(n)}
	if p, ok := w.parent().(*ast.AssignStmt); ok && len(p.Lhs) == 1 && p.Tok == token.ASSIGN {
		a.Target = w.grows(p.Lhs[0], n)
	}
	w.add(n.OpPos, a)
}

// grows returns the text of a variable that is a part of the sum given to it.
func (w *walker) grows(lhs ast.Expr, sum ast.Expr) string {
	name, found := types.ExprString(lhs), false
	ast.Inspect(sum, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && types.ExprString(e) == name {
			found = true
		}
		return !found
	})
	if !found {
		return ""
	}
	return name
}

// literal notes slices, maps and literals under &; others are part of the variable
// that they are assigned to.
func (w *walker) literal(n *ast.CompositeLit) {
	t := w.typeOf(n)
	a := Allocation{Text: w.name(t) + "{…}", Type: w.name(t), Sized: true, Value: w.valueOf(n.Elts...)}
	at := n.Lbrace
	switch u := underlying(t).(type) {
	case *types.Slice:
		a.Kind, a.Sized = MakeSlice, len(n.Elts) > 0
	case *types.Map:
		a.Kind, a.Sized = MakeMap, len(n.Elts) > 8 // a map of up to 8 has one group, made with it or not
		w.boxElements(n, u.Elem())
	default:
		if p, ok := u.(*types.Pointer); ok { // &T left out within []*T{{…}}
			t, u = p.Elem(), underlying(p.Elem())
			a.Kind = New
		}
		if s, ok := u.(*types.Struct); ok {
			w.boxFields(n, s)
		}
		if p, ok := w.parent().(*ast.UnaryExpr); ok && p.Op == token.AND {
			a.Kind, a.Text, at = New, "&"+a.Text, p.OpPos
		}
		// A pool of a function is on the heap, because its methods take its address.
		if a.Kind == "" && a.Type == "sync.Pool" && w.function() != nil {
			a.Kind = New
		}
		if a.Kind == "" {
			return
		}
	}
	if s, ok := underlying(t).(*types.Slice); ok {
		w.boxElements(n, s.Elem())
	}
	w.add(at, a)
}

// captures reports whether a function literal uses variables of a function around
// it: one that does not is a constant.
func (w *walker) captures(n *ast.FuncLit) bool {
	found := false
	ast.Inspect(n.Body, func(c ast.Node) bool {
		if id, ok := c.(*ast.Ident); ok && !found {
			v, ok := w.info.Uses[id].(*types.Var)
			found = ok && !v.IsField() && v.Pkg() == w.pkg && v.Parent() != nil && v.Parent() != w.pkg.Scope() &&
				(v.Pos() < n.Pos() || v.Pos() > n.End())
		}
		return !found
	})
	return found
}

// calledAtOnce reports whether the function literal is called where it stands, by a call
// or a go or defer statement: those have entries of their own.
func (w *walker) calledAtOnce(n *ast.FuncLit) bool {
	c, ok := w.parent().(*ast.CallExpr)
	return ok && ast.Unparen(c.Fun) == ast.Expr(n)
}

// methodValue notes x.Method that is not called: it becomes a closure over x.
func (w *walker) methodValue(n *ast.SelectorExpr) {
	sel := w.info.Selections[n]
	if sel == nil || sel.Kind() != types.MethodVal {
		return
	}
	if c, ok := w.parent().(*ast.CallExpr); ok && ast.Unparen(c.Fun) == ast.Expr(n) {
		return
	}
	w.add(n.Sel.Pos(), Allocation{
		Kind: MethodValue, Text: w.text(n), Owner: strings.TrimPrefix(w.name(sel.Recv()), "*"), Callee: w.handedTo(n),
	})
}

// handedTo returns the function of another module that gets an argument, also if it is a method of
// an interface; "" if there is none.
func (w *walker) handedTo(argument ast.Expr) string {
	call, ok := w.parent().(*ast.CallExpr)
	if !ok || ast.Unparen(call.Fun) == argument {
		return ""
	}
	var fn *types.Func
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		fn, _ = w.info.Uses[f.Sel].(*types.Func)
	case *ast.Ident:
		fn, _ = w.info.Uses[f].(*types.Func)
	}
	if fn == nil || !w.isForeign(symbol(fn)) {
		return ""
	}
	return symbol(fn)
}
