package formatting

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// printers write the text that the function of fmt returns.
var printers = map[string]string{"fmt.Sprintf": "Fprintf", "fmt.Sprint": "Fprint", "fmt.Sprintln": "Fprintln"}

// stringWriters are methods that only copy a string.
var stringWriters = map[string]bool{
	"(*bytes.Buffer).WriteString": true, "(*bufio.Writer).WriteString": true, "(*strings.Builder).WriteString": true,
}

// written reports the call of fmt.Sprintf or its like at c if its text is only written.
func written(pass *analysis.Pass, c inspector.Cursor) bool {
	call := c.Node().(*ast.CallExpr)
	printer := printers[rewrite.Callee(pass.TypesInfo, call)]
	if printer == "" {
		return false
	}
	write, w := writerOf(pass.TypesInfo, c)
	if w == nil {
		return false
	}
	pass.Report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Category: rewrite.Sometimes,
		Message:        "fmt makes a string, which is only written: use fmt." + printer,
		SuggestedFixes: fixWritten(pass, write, w, call, printer),
	})
	return true
}

// writerOf returns the call that writes the string at c, and the writer.
func writerOf(info *types.Info, c inspector.Cursor) (write inspector.Cursor, w ast.Expr) {
	if c.ParentEdgeKind() != edge.CallExpr_Args {
		return write, nil
	}
	write = c.Parent()
	call := write.Node().(*ast.CallExpr)
	conversion := info.Types[call.Fun].IsType()
	if conversion { // w.Write([]byte(text))
		if !rewrite.IsBytes(info.TypeOf(call)) || write.ParentEdgeKind() != edge.CallExpr_Args {
			return write, nil
		}
		write = write.Parent()
		call = write.Node().(*ast.CallExpr)
	}
	fn, ok := info.Uses[calledName(call)].(*types.Func)
	if !ok || write.ParentEdgeKind() == edge.DeferStmt_Call || write.ParentEdgeKind() == edge.GoStmt_Call {
		return write, nil
	}
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	direct := sel != nil && info.Selections[sel] != nil && len(info.Selections[sel].Index()) == 1
	switch {
	case direct && (conversion && fn.Name() == "Write" && writes(fn) || !conversion && stringWriters[fn.FullName()]):
		return write, sel.X
	case !conversion && fn.FullName() == "io.WriteString":
		return write, call.Args[0]
	}
	return write, nil
}

// calledName returns the name of the function that a call calls, or nil.
func calledName(call *ast.CallExpr) *ast.Ident {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

// writes reports whether a method is the one of io.Writer.
func writes(fn *types.Func) bool {
	params, results := fn.Signature().Params(), fn.Signature().Results()
	return params.Len() == 1 && results.Len() == 2 && types.TypeString(params.At(0).Type(), nil) == "[]byte" &&
		types.TypeString(results.At(0).Type(), nil) == "int" && types.TypeString(results.At(1).Type(), nil) == "error"
}

// fixWritten prints to the writer. A printer formats the whole text before it writes it
// with one call.
func fixWritten(
	pass *analysis.Pass, write inspector.Cursor, w ast.Expr, call *ast.CallExpr, printer string,
) []analysis.SuggestedFix {
	f := rewrite.Of(pass).File(write)
	of, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if f == nil || !ok || !rewrite.Pure(pass.TypesInfo, w) && !isAddress(pass.TypesInfo, w) {
		return nil
	}
	to := f.Text(w)
	switch t := pass.TypesInfo.TypeOf(w); {
	case types.IsInterface(t), isPointer(t), hasWrite(t):
	default:
		to = "&" + to
	}
	if len(call.Args) > 0 {
		to += ", "
	}
	// The arguments stay as they are.
	return f.Fix("Print to the writer",
		analysis.TextEdit{Pos: write.Node().Pos(), End: of.Pos(), NewText: nil},
		rewrite.Replace(of.Sel, printer),
		rewrite.Insert(call.Lparen+1, to),
		analysis.TextEdit{Pos: call.End(), End: write.Node().End()})
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// hasWrite reports whether a value, not only a pointer to it, is an io.Writer.
func hasWrite(t types.Type) bool {
	return types.NewMethodSet(t).Lookup(nil, "Write") != nil
}

// isAddress reports whether an expression is the address of something that only reads.
func isAddress(info *types.Info, e ast.Expr) bool {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && u.Op == token.AND && rewrite.Pure(info, u.X)
}
