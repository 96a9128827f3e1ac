package price

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// later returns the lines where the runtime works on the object that a line stores in a variable:
// copies into it, and the operations of a map.
func (f finder) later(file inspector.Cursor, line int) (lines []int) {
	made := map[types.Object]bool{}
	for c := range file.Preorder((*ast.AssignStmt)(nil)) {
		assign := c.Node().(*ast.AssignStmt)
		if f.fset.Position(assign.Pos()).Line != line || len(assign.Lhs) != len(assign.Rhs) {
			continue
		}
		for i, left := range assign.Lhs {
			if id, ok := left.(*ast.Ident); ok && !f.info.Types[assign.Rhs[i]].IsNil() {
				made[f.info.ObjectOf(id)] = true
			}
		}
	}
	of := func(e ast.Expr, isMap bool) bool {
		if s, ok := e.(*ast.SliceExpr); ok {
			e = s.X
		}
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok || !made[f.info.Uses[id]] {
			return false
		}
		_, is := f.info.TypeOf(id).Underlying().(*types.Map)
		return is == isMap
	}
	for c := range file.Preorder((*ast.IndexExpr)(nil), (*ast.RangeStmt)(nil), (*ast.CallExpr)(nil)) {
		works := false
		switch n := c.Node().(type) {
		case *ast.IndexExpr:
			works = of(n.X, true)
		case *ast.RangeStmt:
			works = of(n.X, true)
		case *ast.CallExpr:
			name := f.builtin(n)
			works = name == "copy" && of(n.Args[0], false) ||
				(name == "delete" || name == "clear") && of(n.Args[0], true)
		}
		if works {
			lines = append(lines, f.fset.Position(c.Node().Pos()).Line)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
