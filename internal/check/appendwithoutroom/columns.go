package appendwithoutroom

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// columns reports an array of slices, to each of which every iteration appends:
//
//	for _, row := range rows {
//		for i, v := range row {
//			columns[i] = append(columns[i], v)
//		}
//	}
func (s *search) columns(c inspector.Cursor, start rewrite.Start, count rewrite.Count) {
	info, body := s.pass.TypesInfo, bodyOf(c.Node())
	if rewrite.Leaves(body) {
		return
	}
	for _, stmt := range body.List {
		inner, ok := stmt.(*ast.RangeStmt)
		if !ok || inner.Key == nil || rewrite.Leaves(inner.Body) {
			continue
		}
		index := rewrite.Variable(info, inner.Key)
		over, ok := array(info.TypeOf(inner.X))
		if !ok || index == nil || rewrite.Writes(info, inner.Body, index) {
			continue
		}
		for _, stmt := range inner.Body.List {
			p, call := s.column(stmt, start, index, over.Len())
			if call == nil {
				continue
			}
			if n, known := p.mentions(s.source, c); !known || n != 2 {
				continue
			}
			s.pass.Report(analysis.Diagnostic{
				Pos: call.Pos(), End: call.End(),
				Message:        "append grows all of " + p.String() + " to a length that is known before the loop",
				SuggestedFixes: s.growColumns(c, p, count, index),
			})
		}
	}
}

// array returns the array that a type is, or points to.
func array(t types.Type) (*types.Array, bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	a, ok := t.Underlying().(*types.Array)
	return a, ok
}

// column recognizes the append to an element of an array of n slices.
func (s *search) column(stmt ast.Stmt, start rewrite.Start, index *types.Var, n int64) (place, *ast.CallExpr) {
	info := s.pass.TypesInfo
	assign, ok := stmt.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return place{}, nil
	}
	left, ok := ast.Unparen(assign.Lhs[0]).(*ast.IndexExpr)
	call, isCall := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
	if !ok || !isCall || !rewrite.IsBuiltin(info, call, "append") || call.Ellipsis.IsValid() || len(call.Args) != 2 ||
		!rewrite.Same(info, left, call.Args[0], nil) || rewrite.Variable(info, left.Index) != index {
		return place{}, nil
	}
	slices, ok := info.TypeOf(left.X).Underlying().(*types.Array)
	if !ok || slices.Len() != n {
		return place{}, nil
	}
	p := place{info: info, v: start.Var}
	switch x := ast.Unparen(left.X).(type) {
	case *ast.Ident:
		if start.Value != nil {
			return place{}, nil
		}
	case *ast.SelectorExpr:
		set, ok := literal(info, start)
		field, is := info.Uses[x.Sel].(*types.Var)
		if !ok || !is || set[field.Name()] || len(info.Selections[x].Index()) != 1 {
			return place{}, nil
		}
		p.field = field
	}
	if !p.is(left.X) {
		return place{}, nil
	}
	return p, call
}

func (s *search) growColumns(
	c inspector.Cursor, p place, count rewrite.Count, index *types.Var,
) []analysis.SuggestedFix {
	f, pos := s.source.File(c), rewrite.WithLabel(c).Node().Pos()
	if f == nil || !rewrite.Pure(s.pass.TypesInfo, count.Over) || !f.AtLeast("go1.21") || !f.Free(index.Name(), pos) {
		return nil
	}
	n, ok := f.Length(count, pos)
	slices, edits, imported := f.Import("slices", pos)
	above, indent, alone := f.Above(pos)
	if !ok || !imported || !alone || f.Free(p.v.Name(), pos) {
		return nil
	}
	each := p.String() + "[" + index.Name() + "]"
	text := indent + "for " + index.Name() + " := range " + p.String() + " {\n" +
		each + " = " + slices + "Grow(" + each + ", " + n + ")\n}\n"
	return f.Fix("Allocate the final length once", append(edits, rewrite.Insert(above, text))...)
}
