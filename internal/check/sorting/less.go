package sorting

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// comparison is the function that sort.Slice gets, as a list of keys.
type comparison struct {
	info  *types.Info
	slice ast.Expr // the sorted slice, without brackets behind it
	// elements are the parameters i and j, and variables with copies of their elements.
	elements map[types.Object]element
	names    [2]string // the variables', if there are any
	keys     []key
}

// element is a place in the comparison.
type element struct {
	side int  // left or right
	copy bool // a variable with the element, not the index
}

const (
	left = iota + 1
	right
)

// key is one comparison of both elements.
type key struct {
	left, right ast.Expr // the first expression reads the element i
	compare     ast.Expr // a function that returns the order of two values; nil for cmp.Compare
	method      bool     // left.Compare(right) is that function
	descending  bool
	float       bool
}

// read returns the keys of a comparison of elements of x. It reports false if the function
// has another form.
func read(info *types.Info, x ast.Expr, lit *ast.FuncLit) (*comparison, bool) {
	x = ast.Unparen(x)
	if all, ok := x.(*ast.SliceExpr); ok && all.Low == nil && all.High == nil && all.Max == nil {
		x = ast.Unparen(all.X) // an array's elements are read without the slice
	}
	c := &comparison{info: info, slice: x, elements: map[types.Object]element{}}
	side := left
	for _, field := range lit.Type.Params.List {
		for _, name := range field.Names {
			if obj := info.Defs[name]; obj != nil {
				c.elements[obj] = element{side: side}
			}
			side++
		}
	}
	if !rewrite.Pure(info, x) {
		return nil, false
	}
	var ok bool
	if c.keys, ok = c.body(lit.Body.List); !ok {
		return nil, false
	}
	for i, k := range c.keys {
		if last := i == len(c.keys)-1; !last && (k.float || !rewrite.Pure(info, k.left)) {
			return nil, false
		}
	}
	return c, true
}

// plain reports whether the comparison is the order of the elements themselves, of which
// equal ones are the same.
func (c *comparison) plain() bool {
	k := c.keys[0]
	return len(c.keys) == 1 && !k.float && !k.descending && k.compare == nil && !k.method && c.side(k.left) == left
}

// ordered reports whether a key needs cmp.Compare.
func (c *comparison) ordered() bool {
	for _, k := range c.keys {
		if !k.float && !k.method && k.compare == nil {
			return true
		}
	}
	return false
}

// body reads statements up to the end of the function.
func (c *comparison) body(stmts []ast.Stmt) ([]key, bool) {
	if len(stmts) == 0 {
		return nil, false
	}
	switch s := stmts[0].(type) {
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			return c.result(s.Results[0])
		}
	case *ast.AssignStmt:
		if c.define(s) {
			return c.body(stmts[1:])
		}
	case *ast.IfStmt:
		rest := stmts[1:]
		if s.Init != nil {
			return nil, false
		}
		if block, ok := s.Else.(*ast.BlockStmt); ok && len(rest) == 0 {
			rest = block.List
		} else if s.Else != nil {
			return nil, false
		}
		return c.branch(s, rest)
	}
	return nil, false
}

// define reads a, b := x[i], x[j].
func (c *comparison) define(s *ast.AssignStmt) bool {
	if s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) {
		return false
	}
	for i, value := range s.Rhs {
		id, ok := s.Lhs[i].(*ast.Ident)
		side := c.side(value)
		if !ok || side == 0 || c.info.Defs[id] == nil || c.names[side-1] != "" {
			return false
		}
		c.elements[c.info.Defs[id]] = element{side: side, copy: true}
		c.names[side-1] = id.Name
	}
	return true
}

// branch reads an if statement and the statements behind it: if a key differs, or is
// equal, or two of the form if x < y { return true }.
func (c *comparison) branch(s *ast.IfStmt, rest []ast.Stmt) ([]key, bool) {
	if l, r, differ, ok := c.equality(s.Cond); ok {
		decided, further := s.Body.List, rest
		if !differ {
			decided, further = rest, s.Body.List
		}
		return c.chain(l, r, decided, further)
	}
	first, ok := c.simple(s.Cond)
	value, returns := c.returned(s.Body.List)
	if !ok || !returns || len(rest) == 0 {
		return nil, false
	}
	if !value { // if x > y { return false }
		first.descending = !first.descending
	}
	if only, ok := c.returned(rest); ok && value && !only {
		return []key{first}, true // and return false
	}
	second, ok := rest[0].(*ast.IfStmt)
	if !ok || second.Init != nil || second.Else != nil || first.float || first.compare != nil {
		return nil, false
	}
	opposite, ok := c.simple(second.Cond)
	other, returns := c.returned(second.Body.List)
	if !other {
		opposite.descending = !opposite.descending
	}
	if !ok || !returns || other == value || opposite.descending != first.descending {
		return nil, false
	}
	if !c.same(first, opposite.left, opposite.right) {
		return nil, false
	}
	more, ok := c.body(rest[1:])
	return append([]key{first}, more...), ok
}

// chain reads the statements that decide by a key, and those for elements in which it is
// the same.
func (c *comparison) chain(l, r ast.Expr, decided, further []ast.Stmt) ([]key, bool) {
	if len(decided) != 1 {
		return nil, false
	}
	ret, ok := decided[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil, false
	}
	first, ok := c.simple(ret.Results[0])
	if !ok || !c.same(first, l, r) {
		return nil, false
	}
	more, ok := c.body(further)
	return append([]key{first}, more...), ok
}

// same reports whether a key compares l and r.
func (c *comparison) same(k key, l, r ast.Expr) bool {
	return rewrite.Same(c.info, k.left, l, nil) && rewrite.Same(c.info, k.right, r, nil)
}

// returned returns the constant that a single statement returns.
func (c *comparison) returned(stmts []ast.Stmt) (value, ok bool) {
	if len(stmts) != 1 {
		return false, false
	}
	ret, ok := stmts[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false, false
	}
	v := c.info.Types[ret.Results[0]].Value
	return v != nil && constant.BoolVal(v), v != nil
}

// result reads what the function returns: one key, or x < y || x == y && more.
func (c *comparison) result(e ast.Expr) ([]key, bool) {
	either, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || either.Op != token.LOR {
		k, ok := c.simple(e)
		return []key{k}, ok
	}
	both, ok := ast.Unparen(either.Y).(*ast.BinaryExpr)
	if !ok || both.Op != token.LAND {
		return nil, false
	}
	first, ok := c.simple(either.X)
	l, r, differ, equality := c.equality(both.X)
	if !ok || !equality || differ || !c.same(first, l, r) {
		return nil, false
	}
	more, ok := c.result(both.Y)
	return append([]key{first}, more...), ok
}
