package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

func (w *walker) assign(n *ast.AssignStmt) {
	for i, l := range n.Lhs {
		r := n.Rhs[min(i, len(n.Rhs)-1)]
		if part, ok := ast.Unparen(r).(*ast.SliceExpr); ok && types.ExprString(part.X) == types.ExprString(l) {
			continue // m[k] = m[k][1:]
		}
		w.insert(l, r)
		w.wrap(n, l, r)
	}
	if n.Tok == token.ADD_ASSIGN && isText(w.typeOf(n.Lhs[0])) {
		w.add(n.TokPos, Allocation{Kind: Concat, Target: w.text(n.Lhs[0]),
			Text: w.text(n.Lhs[0]) + " += " + w.text(n.Rhs[0])})
	}
	if len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN {
		for i, r := range n.Rhs {
			w.box(r, w.typeOf(n.Lhs[i]))
		}
	}
}

// wrap notes a place whose new value refers to its last one: a list that grows at its head, or
// a layer around the last one.
func (w *walker) wrap(n *ast.AssignStmt, lhs, rhs ast.Expr) {
	if n.Tok != token.ASSIGN || !holdsLast(lhs, rhs) {
		return
	}
	a := w.growth(lhs)
	a.Kind, a.Text, a.Type, a.Wraps = Keep, w.text(rhs), w.name(w.typeOf(lhs)), true
	w.add(n.TokPos, a)
}

// holdsLast reports whether a struct literal, or its address, has the value of a place.
func holdsLast(place, value ast.Expr) bool {
	lit, ok := ast.Unparen(pointee(value)).(*ast.CompositeLit)
	return ok && slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		return types.ExprString(e) == types.ExprString(place)
	})
}

// insert notes m[k] or s[i] on the left of an assignment, with the value that is stored.
func (w *walker) insert(lhs ast.Expr, stored ...ast.Expr) {
	x, ok := ast.Unparen(lhs).(*ast.IndexExpr)
	if !ok {
		return
	}
	m, ok := underlying(w.typeOf(x.X)).(*types.Map)
	if !ok {
		w.slot(x, stored)
		return
	}
	a := w.growth(x.X)
	a.Numbers = isNumber(m.Key()) && isNumber(m.Elem())
	a.Kind, a.Text, a.Type, a.Value = MapInsert, w.text(x), w.name(m),
		w.valueOf(append([]ast.Expr{x.Index}, stored...)...)
	w.add(x.Lbrack, a)
}

// appends notes append(s, …).
func (w *walker) appends(n *ast.CallExpr) {
	if len(n.Args) == 0 {
		return
	}
	a := w.growth(n.Args[0])
	a.Kind, a.Text, a.Type = Append, w.text(n), w.name(w.typeOf(n))
	switch s := ast.Unparen(n.Args[0]).(type) {
	case *ast.SliceExpr: // append(s[:0], …) uses the old memory again
		a = w.growth(s.X)
		a.Kind, a.Text, a.Type, a.Sized = Append, w.text(n), w.name(w.typeOf(n)), true
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		if id, ok := s.(*ast.Ident); ok && id.Name == "nil" {
			a.Sized = true // a copy
		}
	default:
		a.Sized = true // append([]T(nil), …), append(f(), …): no growing variable
	}
	a.Value = w.valueOf(n.Args[1:]...)
	a.Bounded = a.Target != "" && w.isRing(n.Args[0])
	w.add(n.Lparen, a)
}

// growth returns the facts known of a variable that something is added to.
func (w *walker) growth(target ast.Expr) Allocation {
	a := Allocation{Target: w.text(target), Outlives: w.outlives(target) || w.names(target), Room: w.room()}
	if sel, ok := ast.Unparen(target).(*ast.SelectorExpr); ok && w.info.Selections[sel] != nil {
		a.Owner = strings.TrimPrefix(w.name(w.typeOf(sel.X)), "*")
	}
	for _, o := range w.objects(target) {
		if at, ok := w.shrinks[o]; ok {
			a.Shrinks, a.Taken = true, w.position(at)
			a.Guard, a.Uncounted = w.bound(at)
			break
		}
	}
	a.Popped, a.Emptied = w.leftAt(target, w.popped), w.leftAt(target, w.emptied)
	if made, sized := w.madeHere(target); made.IsValid() && !w.givenToo(target, made) {
		a.Made, a.Sized = w.position(made), sized
	}
	return a
}

// object returns the variable or field that an expression names; of a generic
// type the field as it is declared. The methods of a named slice or map have a
// receiver each, whose target is known by its type.
func (w *walker) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if o := w.info.Uses[e]; o != nil {
			return origin(o)
		}
		return w.info.Defs[e]
	case *ast.SelectorExpr:
		return origin(w.info.Uses[e.Sel])
	case *ast.IndexExpr:
		return w.object(e.X)
	case *ast.StarExpr:
		if named, ok := types.Unalias(w.typeOf(e)).(*types.Named); ok {
			switch named.Underlying().(type) {
			case *types.Slice, *types.Map:
				return named.Obj()
			}
		}
		return w.object(e.X)
	}
	return nil
}

func origin(o types.Object) types.Object {
	if v, ok := o.(*types.Var); ok {
		return v.Origin()
	}
	return o
}

// outlives reports whether the variable of an expression lives on when the function
// around it has returned: a global, a captured variable, the target of a parameter or
// of the receiver.
func (w *walker) outlives(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := w.object(e).(*types.Var)
		if !ok {
			return false
		}
		body := w.function()
		return body == nil || v.Parent() == w.pkg.Scope() || v.Pos() < w.functionStart() || v.Pos() > body.End()
	case *ast.SelectorExpr:
		if id, ok := ast.Unparen(e.X).(*ast.Ident); ok {
			if v, ok := w.object(id).(*types.Var); ok {
				if w.outlives(id) {
					return true
				}
				// A local pointer is as good as any unless made here.
				_, pointer := v.Type().Underlying().(*types.Pointer)
				made, _ := w.madeHere(id)
				return pointer && !made.IsValid()
			}
			return true // another package's
		}
		return w.outlives(e.X)
	case *ast.IndexExpr:
		return w.outlives(e.X)
	case *ast.StarExpr:
		return true
	}
	return false
}

// names reports whether an expression is a local variable with a map, or a pointer, that comes
// from a place which lives on: an entry of a map of lists, say.
func (w *walker) names(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := w.object(id).(*types.Var)
	if !ok {
		return false
	}
	switch v.Type().Underlying().(type) {
	case *types.Map, *types.Pointer:
	default:
		return false
	}
	switch value := ast.Unparen(w.aliases[v]).(type) {
	case *ast.IndexExpr:
		return w.outlives(value.X)
	case *ast.SelectorExpr:
		return w.outlives(value)
	}
	return false
}

func (w *walker) functionStart() token.Pos {
	for i := len(w.stack) - 1; i >= 0; i-- {
		switch n := w.stack[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return n.Pos()
		}
	}
	return token.NoPos
}

// madeHere finds where the function around the node gives the target a value
// that is made for it, and whether with room: the last such place in the text before
// the node.
func (w *walker) madeHere(target ast.Expr) (at token.Pos, sized bool) {
	body := w.function()
	if body == nil {
		return token.NoPos, false
	}
	name, object := types.ExprString(target), w.object(target)
	same := func(e ast.Expr) bool {
		return types.ExprString(e) == name && (object == nil || w.object(e) == object)
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if len(n.Lhs) != len(n.Rhs) {
					break
				}
				made := n.Rhs[i]
				if !same(l) {
					made = w.fieldOf(target, l, n.Rhs[i])
				}
				if room, ok := w.makesRoom(made); ok {
					at, sized = made.Pos(), room
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if !same(id) {
					continue
				}
				if i >= len(n.Values) {
					at, sized = id.Pos(), false
				} else if room, ok := w.makesRoom(n.Values[i]); ok {
					at, sized = n.Values[i].Pos(), room
				}
			}
		}
		return true
	})
	return at, sized
}

// givenToo reports whether the target is a parameter that the function makes itself
// only in some cases, as where a caller passed nil: in the others it has the caller's
// size.
func (w *walker) givenToo(target ast.Expr, made token.Pos) bool {
	id, ok := ast.Unparen(target).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := w.object(id).(*types.Var)
	body := w.function()
	if !ok || body == nil || v.Pos() < w.functionStart() || v.Pos() >= body.Pos() {
		return false
	}
	always := func(s ast.Stmt) bool {
		_, assigns := s.(*ast.AssignStmt)
		return assigns && s.Pos() <= made && made < s.End()
	}
	return !slices.ContainsFunc(body.List, always)
}

// fieldOf returns the value that the literal in x := &T{labels: make(…)} gives the
// field of a target x.labels, nil where it gives it none.
func (w *walker) fieldOf(target, assigned, value ast.Expr) ast.Expr {
	field, ok := ast.Unparen(target).(*ast.SelectorExpr)
	if !ok || w.object(assigned) == nil || w.object(field.X) != w.object(assigned) {
		return nil
	}
	if pointer, ok := ast.Unparen(value).(*ast.UnaryExpr); ok {
		value = pointer.X
	}
	literal, ok := ast.Unparen(value).(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, e := range literal.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := pair.Key.(*ast.Ident); ok && key.Name == field.Sel.Name {
			return pair.Value
		}
	}
	return nil
}

// makesRoom reports whether an expression makes a new slice, map or struct, and
// whether with a size that was thought about.
func (w *walker) makesRoom(e ast.Expr) (room, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return false, true
	case *ast.UnaryExpr:
		_, ok := e.X.(*ast.CompositeLit)
		return false, ok && e.Op == token.AND
	case *ast.SliceExpr:
		return true, true // buf[:0]
	case *ast.CallExpr:
		if id, is := e.Fun.(*ast.Ident); is && (id.Name == "make" || id.Name == "new") {
			if len(e.Args) == 2 {
				lit, constant := e.Args[1].(*ast.BasicLit)
				return !constant || lit.Value != "0", true
			}
			return len(e.Args) > 2, true
		}
		if len(e.Args) == 1 { // []T(nil)
			_, is := e.Fun.(*ast.ArrayType)
			return false, is
		}
	case *ast.Ident:
		return false, e.Name == "nil"
	}
	return false, false
}

// room returns how often the innermost loop runs, where its head says so.
func (w *walker) room() string {
	switch n := w.loop().(type) {
	case *ast.RangeStmt:
		switch t := underlying(w.typeOf(n.X)).(type) {
		case *types.Slice, *types.Map, *types.Array:
			return "len(" + w.text(n.X) + ")"
		case *types.Basic:
			if t.Info()&types.IsInteger != 0 {
				return w.text(n.X)
			}
		}
	case *ast.ForStmt:
		c, ok := n.Cond.(*ast.BinaryExpr)
		if ok && (c.Op == token.LSS || c.Op == token.NEQ) && n.Init != nil {
			return w.text(c.Y)
		}
	}
	return ""
}
