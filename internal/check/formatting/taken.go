package formatting

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// taker is a function that does with a text what another does with a format.
type taker struct {
	pkg, name string // pkg is "" for a method of the same value
	first     string // arguments before the text
	message   string
	statement bool // the results differ, so nothing may use them
}

// takers are the functions for texts, by those for formats. Without %w, fmt.Errorf returns
// errors.New of the text. A depth of 1 names the line of the call, as Printf does.
var takers = map[string]taker{
	"fmt.Errorf": {
		pkg: "errors", name: "New",
		message: "fmt boxes the values and interprets a format for an error: concatenate its text",
	},
	"log.Printf":           {pkg: "log", name: "Output", first: "1, ", message: outputs, statement: true},
	"(*log.Logger).Printf": {name: "Output", first: "1, ", message: outputs, statement: true},
}

const outputs = "the logger boxes the values and interprets a format: concatenate the text, and use Output"

// taken reports the call at c if it formats a text that concatenation makes as well, and hands
// it on.
func taken(pass *analysis.Pass, c inspector.Cursor) bool {
	call := c.Node().(*ast.CallExpr)
	to, ok := takers[rewrite.Callee(pass.TypesInfo, call)]
	if !ok {
		return false
	}
	parts, values := pieces(pass.TypesInfo, call)
	if len(values) == 0 {
		return false
	}
	pass.Report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Category: rewrite.Sometimes, Message: to.message,
		SuggestedFixes: to.fix(pass, c, parts, values),
	})
	return true
}

// fix calls the function for texts instead of the one at c.
func (t taker) fix(
	pass *analysis.Pass, c inspector.Cursor, parts []part, values []ast.Expr,
) []analysis.SuggestedFix {
	call := c.Node().(*ast.CallExpr)
	f := rewrite.Of(pass).File(c)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if f == nil || !ok || t.statement && c.ParentEdgeKind() != edge.ExprStmt_X {
		return nil
	}
	switch c.ParentEdgeKind() {
	case edge.DeferStmt_Call, edge.GoStmt_Call:
		return nil
	}
	sum, edits, ok := concatenation(pass, c, parts, values)
	if !ok {
		return nil
	}
	fun := rewrite.Replace(sel.Sel, t.name)
	if t.pkg == "" {
		// A method of an outer type may hide the one of an embedded logger.
		s := pass.TypesInfo.Selections[sel]
		if s == nil || len(s.Index()) != 1 || !rewrite.Pure(pass.TypesInfo, sel.X) {
			return nil
		}
	} else {
		qualifier, imports, ok := f.Import(t.pkg, call.Pos())
		if !ok {
			return nil
		}
		edits = append(imports, edits...)
		fun = rewrite.Replace(call.Fun, qualifier+t.name)
	}
	last := call.Args[len(call.Args)-1]
	text := analysis.TextEdit{Pos: call.Args[0].Pos(), End: last.End(), NewText: []byte(t.first + sum)}
	return f.Fix("Concatenate", append(edits, fun, text)...)
}
