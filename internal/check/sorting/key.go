package sorting

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// comparers return the order of two values. The order of exchanged values is the opposite.
var comparers = map[string]bool{"bytes.Compare": true, "strings.Compare": true, "cmp.Compare": true}

// simple reads the comparison of one key.
func (c *comparison) simple(e ast.Expr) (key, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if e.Op != token.LSS && e.Op != token.GTR {
			return key{}, false
		}
		if call, ok := ast.Unparen(e.X).(*ast.CallExpr); ok && comparers[rewrite.Callee(c.info, call)] {
			if len(call.Args) != 2 {
				return key{}, false // a call returns both
			}
			zero := c.info.Types[e.Y].Value
			k, ok := c.oriented(call.Args[0], call.Args[1], e.Op == token.GTR)
			k.compare = call.Fun
			return k, ok && zero != nil && constant.Sign(zero) == 0
		}
		basic, ok := c.info.TypeOf(e.X).Underlying().(*types.Basic)
		if !ok || basic.Info()&types.IsOrdered == 0 {
			return key{}, false
		}
		k, ok := c.oriented(e.X, e.Y, e.Op == token.GTR)
		k.float = basic.Info()&types.IsFloat != 0
		return k, ok
	case *ast.CallExpr: // x.Before(y) is x.Compare(y) < 0
		name := rewrite.Callee(c.info, e)
		if name != "(time.Time).Before" && name != "(time.Time).After" {
			return key{}, false
		}
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		if !ok || len(c.info.Selections[sel].Index()) != 1 {
			return key{}, false
		}
		k, ok := c.oriented(sel.X, e.Args[0], name == "(time.Time).After")
		k.method = true
		return k, ok
	}
	return key{}, false
}

// equality reads x != y or x == y of keys.
func (c *comparison) equality(e ast.Expr) (l, r ast.Expr, differ, ok bool) {
	e = ast.Unparen(e)
	if not, is := e.(*ast.UnaryExpr); is && not.Op == token.NOT {
		l, r, differ, ok = c.equality(not.X)
		return l, r, !differ, ok
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		basic, is := c.info.TypeOf(e.X).Underlying().(*types.Basic)
		if !is || basic.Info()&types.IsOrdered == 0 || e.Op != token.EQL && e.Op != token.NEQ {
			return nil, nil, false, false
		}
		k, ok := c.oriented(e.X, e.Y, false)
		return k.left, k.right, e.Op == token.NEQ, ok
	case *ast.CallExpr:
		sel, is := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		if !is || rewrite.Callee(c.info, e) != "(time.Time).Equal" {
			return nil, nil, false, false
		}
		k, ok := c.oriented(sel.X, e.Args[0], false)
		return k.left, k.right, false, ok
	}
	return nil, nil, false, false
}

// oriented returns a key with the expression of the element i on its left. Go evaluates the
// operands in the order of the source, so calls must keep it.
func (c *comparison) oriented(x, y ast.Expr, greater bool) (key, bool) {
	if c.mirrors(x, y) {
		return key{left: x, right: y, descending: greater}, !greater || c.calm(x)
	}
	return key{left: y, right: x, descending: !greater}, c.mirrors(y, x) && c.calm(x)
}

func (c *comparison) calm(e ast.Expr) bool { return rewrite.Pure(c.info, e) }

// mirrors reports whether x reads of the element i what y reads of the element j.
func (c *comparison) mirrors(x, y ast.Expr) bool {
	read := false
	same := rewrite.Same(c.info, x, y, func(x, y ast.Expr) (same, known bool) {
		if c.side(x) == left && c.side(y) == right {
			read = true
			return true, true
		}
		switch x := x.(type) {
		case *ast.Ident:
			_, index := c.elements[c.info.Uses[x]]
			return false, index
		case *ast.UnaryExpr:
			return false, x.Op == token.AND || x.Op == token.ARROW
		case *ast.SelectorExpr:
			return false, c.addresses(x)
		}
		return false, false
	})
	return same && read
}

// addresses reports whether a method gets the address of what it is called on.
func (c *comparison) addresses(sel *ast.SelectorExpr) bool {
	s := c.info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return false
	}
	_, pointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	_, has := c.info.TypeOf(sel.X).Underlying().(*types.Pointer)
	return pointer && !has
}

// side returns the side of an expression that is an element, 0 if it is none.
func (c *comparison) side(e ast.Expr) int {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if elem := c.elements[c.info.Uses[e]]; elem.copy {
			return elem.side
		}
	case *ast.IndexExpr:
		index, ok := ast.Unparen(e.Index).(*ast.Ident)
		if !ok || !rewrite.Same(c.info, e.X, c.slice, nil) {
			return 0
		}
		if elem := c.elements[c.info.Uses[index]]; !elem.copy {
			return elem.side
		}
	}
	return 0
}
