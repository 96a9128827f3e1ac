package release

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// user judges the uses of a variable that holds a value.
type user struct {
	*function
	variable types.Object
	value    Value
}

// use is what becomes of a value at a place.
type use int

const (
	looked   use = iota // it is used, and as before
	released            // one of its methods does it
	handedOn            // stored, returned, or given to a function that may release it
)

// ends reports whether a node releases the value or hands it on.
func (u user) ends(n ast.Node) bool { return u.best(n) != looked }

// kept reports whether the function hands the value on, rather than releasing it.
func (u user) kept() bool {
	kept := false
	for _, n := range u.body.List {
		if u.best(n) == released {
			return false
		}
		kept = kept || u.best(n) == handedOn
	}
	return kept
}

// best returns the use in a node that matters most.
func (u user) best(n ast.Node) use {
	best := looked
	var stack []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok && u.pkg.Info.Uses[id] == u.variable {
			switch got := u.of(id, stack); {
			case got == released:
				best = released
			case got == handedOn && best == looked:
				best = handedOn
			}
		}
		stack = append(stack, n)
		return true
	})
	return best
}

// of judges a single use by the nodes around it, the innermost last.
func (u user) of(id *ast.Ident, around []ast.Node) use {
	var at ast.Expr = id
	field := u.value.Field == ""
	for i := len(around) - 1; i >= 0; i-- {
		switch n := around[i].(type) {
		case *ast.ParenExpr:
			at = n
			continue
		case *ast.SelectorExpr:
			switch {
			case !field && n.Sel.Name == u.value.Field:
				field, at = true, n
				continue
			case field && slices.Contains(u.value.Methods, n.Sel.Name):
				return released
			}
			return looked
		case *ast.CallExpr:
			if ast.Unparen(n.Fun) == ast.Unparen(at) {
				if len(u.value.Methods) == 0 {
					return released
				}
				return looked
			}
			return u.argument(n, at, field && u.value.Field != "")
		case *ast.ReturnStmt, *ast.CompositeLit, *ast.KeyValueExpr, *ast.SendStmt:
			return handedOn
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				return handedOn
			}
			return looked
		case *ast.AssignStmt:
			if slices.ContainsFunc(n.Rhs, func(e ast.Expr) bool { return contains(e, at) }) && !u.blank(n) {
				return handedOn
			}
			return looked
		case *ast.ValueSpec, *ast.IndexExpr:
			return handedOn
		default:
			return looked
		}
	}
	return looked
}

// blank reports whether an assignment is to the blank identifier alone.
func (u user) blank(a *ast.AssignStmt) bool {
	return !slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return !ok || id.Name != "_"
	})
}

// argument judges the value, or its field, as an argument of a call.
func (u user) argument(c *ast.CallExpr, at ast.Expr, inField bool) use {
	callee, _ := typeutil.Callee(u.pkg.Info, c).(*types.Func)
	if callee == nil { // a builtin such as append, a conversion, a function value
		return handedOn
	}
	own := u.program.declared[callee.Origin()]
	if own == nil {
		switch {
		case releasing(callee.Name()):
			return released
		case u.value.Field != "", endless(callee): // it is read, or wrapped in something whose Close does not reach it
			return looked
		}
		return handedOn
	}
	i := slices.IndexFunc(c.Args, func(e ast.Expr) bool { return contains(e, at) })
	if i < 0 || own.body == nil {
		return handedOn
	}
	param := paramOf(own, i)
	if param == nil {
		return handedOn
	}
	inner := user{own, param, u.value}
	if inField {
		inner.value.Field = ""
	}
	switch inner.best(own.body) {
	case looked:
		return looked
	case released:
		return released
	}
	return handedOn
}

// endless reports whether a function returns something, and nothing with an end.
func endless(fn *types.Func) bool {
	results := fn.Signature().Results()
	for v := range results.Variables() {
		if len(endersOf(v.Type())) > 0 {
			return false
		}
	}
	return results.Len() > 0
}

// paramOf returns the nth parameter of a function, nil for a variadic one.
func paramOf(f *function, nth int) types.Object {
	for _, p := range f.kind.Params.List {
		if _, variadic := p.Type.(*ast.Ellipsis); variadic {
			return nil
		}
		for _, name := range p.Names {
			if nth == 0 {
				return f.pkg.Info.Defs[name]
			}
			nth--
		}
	}
	return nil
}

// none reports whether nothing is held where a condition has a value: the call has
// failed, or the value is drained.
func (u user) none(cond ast.Expr, is bool, err types.Object) bool {
	switch c := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		if c.Op != token.EQL && c.Op != token.NEQ {
			return false
		}
		x, y := objectOf(u.pkg.Info, c.X), ast.Unparen(c.Y)
		if id, ok := y.(*ast.Ident); !ok || id.Name != "nil" {
			return false
		}
		isNil := is == (c.Op == token.EQL)
		return x == u.variable && isNil || err != nil && x == err && !isNil
	case *ast.CallExpr:
		sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
		if !ok {
			return false
		}
		if u.value.Drained != "" && sel.Sel.Name == u.value.Drained && objectOf(u.pkg.Info, sel.X) == u.variable {
			return !is
		}
		// errors.Is(err, ErrNotFound)
		return is && err != nil && len(c.Args) > 0 && sel.Sel.Name != "New" && objectOf(u.pkg.Info, c.Args[0]) == err
	}
	return false
}
