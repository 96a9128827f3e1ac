package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// Evaluate gives the slice or map that a range loop gets from a call a variable, so that
// its length is known before the loop. It returns the variable's name, the statement that
// declares it, for the place before the statement at pos, and the edit of the loop.
// Nothing between the two places may have an effect.
func (n *Names) Evaluate(
	f *File, loop inspector.Cursor, count Count, pos token.Pos,
) (name, statement string, edit analysis.TextEdit, ok bool) {
	ranged, isRange := loop.Node().(*ast.RangeStmt)
	_, labeled := loop.Parent().Node().(*ast.LabeledStmt) // a goto would not evaluate it again
	if !isRange || labeled || ranged.X != count.Over || !f.Means(ranged.X, pos) || !f.Universe("len", pos) {
		return "", "", edit, false
	}
	switch f.pass.TypesInfo.TypeOf(ranged.X).Underlying().(type) {
	case *types.Slice, *types.Map:
	default:
		return "", "", edit, false
	}
	name, ok = n.Choose(f, pos, append(resultNames(ranged.X), "all", "values", "elements")...)
	return name, name + " := " + f.Text(ranged.X), Replace(ranged.X, name), ok
}

// resultNames returns names for the result of a call: the function name, without Get.
func resultNames(e ast.Expr) []string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	var name string
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	}
	name = Unexported(strings.TrimPrefix(name, "Get"))
	if !strings.HasSuffix(name, "s") || token.IsKeyword(name) { // a verb, perhaps
		return nil
	}
	return []string{name}
}
