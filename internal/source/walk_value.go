package source

import (
	"go/ast"
	"go/token"
	"go/types"
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

// literal notes slices, maps and what & is taken of; other literals are part of
// what they are assigned to.
func (w *walker) literal(n *ast.CompositeLit) {
	t := w.typeOf(n)
	a := Allocation{Text: w.name(t) + "{…}", Type: w.name(t), Sized: true}
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
		if a.Kind == "" {
			return
		}
	}
	if s, ok := underlying(t).(*types.Slice); ok {
		w.boxElements(n, s.Elem())
	}
	w.add(at, a)
}

// captures says whether a function literal uses variables of a function around
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

// calledAtOnce says whether the function literal is what a call or a go or
// defer statement calls: those have entries of their own.
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
	w.add(n.Sel.Pos(), Allocation{Kind: MethodValue, Text: w.text(n)})
}

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
	w.add(n.Lbrack, Allocation{Kind: Slicing, Text: w.text(n), Type: w.name(t), Target: w.text(n.X)})
}

// kept says whether a part is stored: assigned to what is no local variable, or
// to a local that the function stores or returns, an element, or returned.
func (w *walker) kept(n ast.Expr) bool {
	switch p := w.parent().(type) {
	case *ast.AssignStmt:
		for i, r := range p.Rhs {
			if ast.Unparen(r) != n || i >= len(p.Lhs) {
				continue
			}
			if types.ExprString(p.Lhs[i]) == types.ExprString(n.(*ast.SliceExpr).X) {
				return false // s = s[i:] moves on within what is held anyway
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

// storedLater says whether the function puts a local variable elsewhere as it
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
