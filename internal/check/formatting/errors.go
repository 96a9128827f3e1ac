package formatting

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// madeError reports the call of fmt.Errorf at c if it formats a text that concatenation makes
// as well. Without %w, the error is the errors.New of that text.
func madeError(pass *analysis.Pass, c inspector.Cursor, names *rewrite.Names) bool {
	call := c.Node().(*ast.CallExpr)
	if rewrite.Callee(pass.TypesInfo, call) != "fmt.Errorf" {
		return false
	}
	parts, values := pieces(pass.TypesInfo, call)
	if len(values) == 0 {
		return false
	}
	pass.Report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Category: rewrite.Sometimes,
		Message:        "fmt boxes the values and interprets a format for an error: make its text without fmt",
		SuggestedFixes: fixError(pass, c, parts, values, names),
	})
	return true
}

// fixError calls errors.New instead of the function at c.
//
// Each string in a concatenation saves the object that fmt boxes it in. strconv.Itoa, however,
// allocates from 100 on, and a boxed number only from 256 on. So numbers that are not
// outnumbered are appended to an array on the stack.
func fixError(
	pass *analysis.Pass, c inspector.Cursor, parts []part, values []ast.Expr, names *rewrite.Names,
) []analysis.SuggestedFix {
	switch c.ParentEdgeKind() {
	case edge.DeferStmt_Call, edge.GoStmt_Call:
		return nil
	}
	numbers := 0
	for _, p := range parts {
		if p.value != nil && p.to.function != "" && p.to.function != "FormatBool" {
			numbers++
		}
	}
	call, f := c.Node().(*ast.CallExpr), rewrite.Of(pass).File(c)
	var sum string
	var edits []analysis.TextEdit
	var ok bool
	if numbers > len(values)-numbers {
		sum, edits, ok = appended(pass, c, parts, names)
	} else {
		sum, edits, ok = concatenation(pass, c, parts, values)
	}
	if !ok {
		return nil
	}
	qualifier, imports, ok := f.Import("errors", call.Pos())
	if !ok {
		return nil
	}
	last := call.Args[len(call.Args)-1]
	return f.Fix("Make the text without fmt",
		append(append(imports, edits...), rewrite.Replace(call.Fun, qualifier+"New"),
			analysis.TextEdit{Pos: call.Args[0].Pos(), End: last.End(), NewText: []byte(sum)})...)
}
