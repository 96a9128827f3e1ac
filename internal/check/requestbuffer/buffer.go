package requestbuffer

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/reuse"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// buffer reports a variable of type bytes.Buffer, or a pointer to a new one, that dies
// with the function.
func (s *search) buffer(d declaration) bool {
	named, ok := s.empty(d)
	if !ok {
		return false
	}
	fn := rewrite.Function(d.Cursor)
	var filled []ast.Node
	var edits []analysis.TextEdit
	for _, use := range s.Source.Mentions(fn, d.v) {
		if s.Info.Defs[use.Node().(*ast.Ident)] == d.v {
			continue
		}
		if rewrite.Function(use) != fn || use.ParentEdgeKind() == edge.AssignStmt_Lhs {
			return false // a closure may run at any time
		}
		_, pointer := d.v.Type().(*types.Pointer)
		switch {
		case pointer, use.ParentEdgeKind() == edge.SelectorExpr_X:
		case use.ParentEdgeKind() == edge.UnaryExpr_X: // &b
			use = use.Parent()
			edits = append(edits, rewrite.Replace(use.Node(), d.v.Name()))
		default:
			return false // it is copied
		}
		if !s.Prover.ValueDies(use) {
			return false
		}
		filled = append(filled, enclosingCall(use))
	}
	if len(filled) == 0 {
		return false
	}
	const message = "each call makes a bytes.Buffer and drops it: keep it in a sync.Pool and Reset it"
	s.report(d, message, filled, s.poolBuffer(d, named, edits))
	return true
}

// empty reports whether the value of a new variable is an empty bytes.Buffer or a pointer
// to one, and returns the expression that names package bytes there.
func (s *search) empty(d declaration) (named ast.Expr, ok bool) {
	switch types.TypeString(d.v.Type(), nil) {
	case "bytes.Buffer", "*bytes.Buffer":
	default:
		return nil, false
	}
	var typ ast.Expr
	switch e := d.value.(type) {
	case nil:
		typ = d.typ
	case *ast.CompositeLit:
		if len(e.Elts) == 0 {
			typ = e.Type
		}
	case *ast.UnaryExpr:
		if lit, ok := e.X.(*ast.CompositeLit); ok && e.Op == token.AND && len(lit.Elts) == 0 {
			typ = lit.Type
		}
	case *ast.CallExpr:
		switch {
		case rewrite.IsBuiltin(s.Info, e, "new") && s.Info.Types[e.Args[0]].IsType():
			typ = e.Args[0]
		case rewrite.Callee(s.Info, e) == "bytes.NewBuffer" && s.Info.Types[e.Args[0]].IsNil():
			typ = e.Fun
		}
	}
	sel, ok := typ.(*ast.SelectorExpr) // another name comes from a dot import
	if !ok {
		return nil, false
	}
	return sel.X, true
}

// poolBuffer takes the buffer from a pool instead.
func (s *search) poolBuffer(d declaration, named ast.Expr, edits []analysis.TextEdit) []analysis.SuggestedFix {
	file := s.Source.File(d.Cursor)
	place, ok := s.Hoister.Above(d.Cursor)
	if !ok {
		return nil
	}
	typ := file.Text(named) + ".Buffer"
	pool, ok := reuse.NewPool(place, file, d.Cursor, "Buffers", "*"+typ, "new("+typ+")", named)
	if !ok {
		return nil
	}
	edits = append(edits, pool.Edits()...)
	edits = append(edits, rewrite.Replace(d.Node(), pool.Lines(pool.TakeBuffer(d.v.Name())...)))
	return file.Fix("Use a pool", edits...)
}

// enclosingCall returns the innermost call around c, or the node at c.
func enclosingCall(c inspector.Cursor) ast.Node {
	for call := range c.Enclosing((*ast.CallExpr)(nil)) {
		return call.Node()
	}
	return c.Node()
}
