package formatting

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// held reports a call at c that formats one value of type any. If the value is a string, the
// call returns a copy of it.
func held(pass *analysis.Pass, c inspector.Cursor, names *rewrite.Names) bool {
	call := c.Node().(*ast.CallExpr)
	arg, verb := formatted(pass.TypesInfo, call)
	if arg == nil || verb != "%v" && verb != "%s" {
		return false
	}
	if !isAny(pass.TypesInfo.TypeOf(arg)) || !rewrite.Pure(pass.TypesInfo, arg) {
		return false
	}
	f := rewrite.Of(pass).File(c)
	if f == nil {
		return false
	}
	fix := returned(pass, f, c, arg, names)
	if fix == nil {
		fix = assigned(f, c, arg, names)
	}
	if fix == nil {
		return false
	}
	pass.Report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Category: rewrite.Sometimes,
		Message:        "fmt copies a string that an interface holds: take it as it is",
		SuggestedFixes: fix,
	})
	return true
}

// isAny reports whether values of the type may be strings.
func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	_, parameter := t.(*types.TypeParam)
	return ok && !parameter && i.Empty()
}

// returned returns a string before the statement that returns its copy.
func returned(
	pass *analysis.Pass, f *rewrite.File, c inspector.Cursor, arg ast.Expr, names *rewrite.Names,
) []analysis.SuggestedFix {
	ret, ok := c.Parent().Node().(*ast.ReturnStmt)
	if !ok || !rewrite.InList(c.Parent()) {
		return nil
	}
	for _, r := range ret.Results {
		if r != c.Node() && !rewrite.Pure(pass.TypesInfo, r) {
			return nil
		}
	}
	pos := ret.Pos()
	above, indent, alone := f.Above(pos)
	text, named := names.Choose(f, pos, "s", "text", "str")
	okay, both := names.Choose(f, pos, "ok", "isString")
	if !alone || !named || !both || !f.Universe("string", pos) {
		return nil
	}
	call := c.Node()
	results := f.Between(ret.Pos(), call.Pos()) + text + f.Between(call.End(), ret.End())
	if strings.Contains(results, "\n") {
		return nil
	}
	insert := indent + "if " + text + ", " + okay + " := " + f.Text(arg) + ".(string); " + okay + " {\n" +
		indent + "\t" + results + "\n" + indent + "}\n"
	return f.Fix("Return the string", rewrite.Insert(above, insert))
}

// assigned gives a new variable the string, and calls fmt only where there is none.
func assigned(f *rewrite.File, c inspector.Cursor, arg ast.Expr, names *rewrite.Names) []analysis.SuggestedFix {
	assign, ok := c.Parent().Node().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || !rewrite.InList(c.Parent()) {
		return nil
	}
	pos := assign.Pos()
	above, indent, alone := f.Above(pos)
	end, last := f.Rest(assign)
	okay, named := names.Choose(f, pos, "ok", "isString")
	if !alone || !last || !named || !f.Universe("string", pos) || above > pos {
		return nil
	}
	name := f.Text(assign.Lhs[0])
	take := name + ", " + okay + " := " + f.Text(arg) + ".(string)"
	call := name + " = " + f.Text(c.Node())
	set := "\n" + indent + "if !" + okay + " {\n" + indent + "\t" + call + "\n" + indent + "}"
	return f.Fix("Take the string", rewrite.Replace(assign, take), rewrite.Insert(end, set))
}
