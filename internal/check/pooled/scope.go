package pooled

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// Scope is a function's body in which variables hold the value of a pool, or parts
// of it.
type Scope struct {
	Body  *ast.BlockStmt
	fn    *types.Func
	info  *types.Info
	paths map[*types.Var]string
	puts  map[string]bool // operands that are no variables, such as w.buf, as text
}

// Holds reports whether an expression is a variable that holds the value, or a part
// of it, rather than a place in it: to assign it changes nothing in the pool.
func (s *Scope) Holds(e ast.Expr) bool {
	e = ast.Unparen(e)
	_, variable := e.(*ast.Ident)
	return variable || s.puts[types.ExprString(e)]
}

// Path returns the place in a pooled value that an expression denotes: "" for the
// value itself, ".buf" for a field.
func (s *Scope) Path(e ast.Expr) (string, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v := rewrite.Variable(s.info, e); v != nil {
			p, ok := s.paths[v]
			return p, ok
		}
	case *ast.StarExpr:
		return s.Path(e.X)
	case *ast.TypeAssertExpr:
		return s.Path(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return s.Path(e.X)
		}
	case *ast.SelectorExpr:
		if s.puts[types.ExprString(e)] {
			return "", true
		}
		m := s.info.Selections[e]
		if m == nil || m.Kind() != types.FieldVal {
			return "", false
		}
		p, ok := s.Path(e.X)
		return p + embedded(m, len(m.Index())-1) + "." + e.Sel.Name, ok
	}
	return "", false
}

// Receiver returns the place of the receiver of a method.
func (s *Scope) Receiver(sel *ast.SelectorExpr) (string, bool) {
	m := s.info.Selections[sel]
	if m == nil || m.Kind() != types.MethodVal {
		return "", false
	}
	p, ok := s.Path(sel.X)
	return p + embedded(m, len(m.Index())-1), ok
}

// embedded returns the path through the first n fields of a selection.
func embedded(m *types.Selection, n int) string {
	path, t := "", m.Recv()
	for _, i := range m.Index()[:n] {
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			return path
		}
		path += "." + st.Field(i).Name()
		t = st.Field(i).Type()
	}
	return path
}

// Part is like Path, but also accepts a slice of the place, or an append to it.
func (s *Scope) Part(e ast.Expr) (string, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		return s.Part(e.X)
	case *ast.CallExpr:
		if rewrite.IsBuiltin(s.info, e, "append") {
			return s.Part(e.Args[0])
		}
		return "", false
	}
	return s.Path(e)
}
