package lengths

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// fields returns the growers that are unexported fields of structs: x.f = append(x.f, e).
// A field gets its room with its first element, so that nobody sees another nil. Nobody
// else may append to its array: the package hands no part of it to others, and copies no
// such struct.
func (b *blindness) fields(source *rewrite.Source) (all []*grower) {
	for c := range b.root.Preorder((*ast.AssignStmt)(nil)) {
		sel := b.appendsTo(c)
		if sel == nil || !rewrite.InList(c) || len(c.Node().(*ast.AssignStmt).Lhs) > 1 || !addsOne(c) {
			continue
		}
		field := b.info.Uses[sel.Sel].(*types.Var).Origin()
		file := source.File(c)
		if file == nil || !b.alone(field) || b.copied(b.info.Selections[sel].Recv()) {
			continue
		}
		typ, ok := file.TypeText(field.Type(), c.Node().Pos())
		if !ok {
			continue
		}
		all = append(all, &grower{
			kind: list, v: field, at: c, fills: []inspector.Cursor{c}, late: true, escapes: true, file: file,
			name: file.Text(sel), typ: typ,
		})
	}
	return all
}

// appendsTo returns the field that a statement appends to, nil for another statement.
func (b *blindness) appendsTo(c inspector.Cursor) *ast.SelectorExpr {
	assign := c.Node().(*ast.AssignStmt)
	if assign.Tok != token.ASSIGN || len(assign.Lhs) != len(assign.Rhs) {
		return nil
	}
	for i, lhs := range assign.Lhs {
		sel, isField := lhs.(*ast.SelectorExpr)
		call, isCall := assign.Rhs[i].(*ast.CallExpr)
		if !isField || !isCall || !rewrite.IsBuiltin(b.info, call, "append") {
			continue
		}
		s := b.info.Selections[sel]
		if s != nil && s.Kind() == types.FieldVal && len(s.Index()) == 1 && b.same(sel, call.Args[0]) {
			return sel
		}
	}
	return nil
}

// same reports whether two expressions are the same field of the same variable.
func (b *blindness) same(x, y ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		v := rewrite.Variable(b.info, x)
		return v != nil && v == rewrite.Variable(b.info, y)
	case *ast.SelectorExpr:
		y, ok := ast.Unparen(y).(*ast.SelectorExpr)
		return ok && b.info.Uses[x.Sel] == b.info.Uses[y.Sel] && b.same(x.X, y.X)
	}
	return false
}

// alone reports whether nothing but appends to a field can write to its array, as far as that
// is not in use.
func (b *blindness) alone(field *types.Var) bool {
	if field.Exported() || field.Embedded() || len(b.mentions[field]) == 0 ||
		rewrite.MentionedInOtherBuilds(b.pass, field.Name()) {
		return false
	}
	return !slices.ContainsFunc(b.mentions[field], func(id inspector.Cursor) bool {
		switch {
		case b.info.Defs[id.Node().(*ast.Ident)] != nil, id.ParentEdgeKind() == edge.KeyValueExpr_Key:
			return false
		case id.ParentEdgeKind() != edge.SelectorExpr_Sel:
			return true
		}
		return !b.owned(id.Parent())
	})
}

// owned reports whether a mention of a field hands its array to nobody.
func (b *blindness) owned(c inspector.Cursor) bool {
	parent := c.Parent()
	switch p := parent.Node().(type) {
	case *ast.AssignStmt:
		return c.ParentEdgeKind() == edge.AssignStmt_Lhs
	case *ast.BinaryExpr:
		return true
	case *ast.RangeStmt:
		return p.X == c.Node()
	case *ast.IndexExpr:
		return p.X == c.Node() && !rewrite.Addressed(b.info, parent)
	case *ast.SliceExpr:
		return !p.Slice3 && b.cut(parent)
	case *ast.CallExpr:
		if rewrite.IsBuiltin(b.info, p, "append") && c.ParentEdgeIndex() == 0 {
			sel, ok := c.Node().(*ast.SelectorExpr)
			return ok && parent.ParentEdgeKind() == edge.AssignStmt_Rhs && b.same(sel, b.assigned(parent))
		}
		return readsOnly(b.info, p)
	}
	return false
}

// cut reports whether a part of a field is only read, or becomes the field.
func (b *blindness) cut(c inspector.Cursor) bool {
	switch p := c.Parent().Node().(type) {
	case *ast.AssignStmt:
		return c.ParentEdgeKind() == edge.AssignStmt_Rhs && b.same(c.Node().(*ast.SliceExpr).X, b.assigned(c))
	case *ast.RangeStmt:
		return true
	case *ast.IndexExpr:
		return !rewrite.Addressed(b.info, c.Parent())
	case *ast.CallExpr:
		return !rewrite.IsBuiltin(b.info, p, "append") && readsOnly(b.info, p)
	}
	return false
}

// assigned returns the variable that an expression is assigned to, or a bad expression.
func (b *blindness) assigned(c inspector.Cursor) ast.Expr {
	assign := c.Parent().Node().(*ast.AssignStmt)
	if i := c.ParentEdgeIndex(); len(assign.Lhs) == len(assign.Rhs) {
		return assign.Lhs[i]
	}
	return &ast.BadExpr{}
}

// copied reports whether the package may copy a struct: both copies would append to the same
// array.
func (b *blindness) copied(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	is := func(e ast.Expr) bool { return types.Identical(b.info.TypeOf(e), t) }
	for c := range b.root.Preorder() {
		switch n := c.Node().(type) {
		case *ast.RangeStmt:
			if n.Value != nil && is(n.Value) {
				return true
			}
		case *ast.FuncDecl:
			if n.Recv != nil && is(n.Recv.List[0].Type) {
				return true
			}
		}
		e, ok := c.Node().(ast.Expr)
		if _, fresh := e.(*ast.CompositeLit); !ok || fresh {
			continue
		}
		if !b.info.Types[e].IsValue() || !is(e) {
			continue
		}
		switch c.ParentEdgeKind() {
		case edge.SelectorExpr_X, edge.SelectorExpr_Sel, edge.UnaryExpr_X, edge.ParenExpr_X, edge.AssignStmt_Lhs,
			edge.ExprStmt_X:
		default:
			return true
		}
	}
	return false
}
