package timeformat

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/reuse"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// room is the length of the scratch slice: time.Time.Format has the same for its own.
const room = "64"

// reportScratch reports the call t.Format(layout) at c if each iteration of a loop makes
// the string only to write it.
func reportScratch(pass *analysis.Pass, c inspector.Cursor, names *reuse.Names) {
	format := formatted(pass.TypesInfo, c.Node().(*ast.CallExpr))
	loop, looped := outermost(c)
	if format == nil || !looped {
		return
	}
	writes := writtenBy(pass, c)
	if len(writes) == 0 {
		return
	}
	pass.Report(analysis.Diagnostic{
		Pos: format.Pos(), End: format.End(), Category: rewrite.Sometimes,
		Message:        "each iteration makes a string to write it: use AppendFormat with bytes for all of them",
		SuggestedFixes: fixScratch(pass, format, loop, writes, names),
	})
}

// outermost returns the statement of the outermost loop of the function around c.
func outermost(c inspector.Cursor) (loop inspector.Cursor, ok bool) {
	for p := range c.Enclosing() {
		switch p.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loop, ok = p, true
		case *ast.FuncDecl, *ast.FuncLit:
			return loop, ok
		}
	}
	return loop, ok
}

// writtenBy returns the calls that write the string at c, where nothing else uses it.
func writtenBy(pass *analysis.Pass, c inspector.Cursor) (all []inspector.Cursor) {
	if c.ParentEdgeKind() == edge.CallExpr_Args {
		call := c.Parent()
		if rewrite.Callee(pass.TypesInfo, call.Node().(*ast.CallExpr)) == "io.WriteString" && atOnce(call) {
			return []inspector.Cursor{call} // buffers have AvailableBuffer
		}
		return nil
	}
	assign, ok := c.Parent().Node().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 {
		return nil
	}
	v := rewrite.Variable(pass.TypesInfo, assign.Lhs[0])
	fn := rewrite.Function(c)
	if !rewrite.Of(pass).Local(fn, v) {
		return nil
	}
	for _, id := range rewrite.Of(pass).Mentions(fn, v) {
		if id.Node() == assign.Lhs[0] {
			continue
		}
		call := id.Parent()
		if id.ParentEdgeKind() != edge.CallExpr_Args || !writes(pass, call) || !atOnce(call) {
			return nil
		}
		all = append(all, call)
	}
	return all
}

// writes reports whether the call at c writes its last argument, a string.
func writes(pass *analysis.Pass, c inspector.Cursor) bool {
	call := c.Node().(*ast.CallExpr)
	name := rewrite.Callee(pass.TypesInfo, call)
	if name == "io.WriteString" {
		return true
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && since[name] != "" && direct(pass.TypesInfo, sel)
}

// atOnce reports whether the call at c is neither deferred nor made by a go statement.
func atOnce(c inspector.Cursor) bool {
	return c.ParentEdgeKind() != edge.DeferStmt_Call && c.ParentEdgeKind() != edge.GoStmt_Call
}

// fixScratch makes the bytes before the loop.
func fixScratch(
	pass *analysis.Pass, format *ast.CallExpr, loop inspector.Cursor, calls []inspector.Cursor, names *reuse.Names,
) []analysis.SuggestedFix {
	f := rewrite.Of(pass).File(loop)
	sel := ast.Unparen(format.Fun).(*ast.SelectorExpr)
	if loop.ParentEdgeKind() == edge.LabeledStmt_Stmt {
		loop = loop.Parent()
	}
	if f == nil || !direct(pass.TypesInfo, sel) || loop.ParentEdgeKind() != edge.BlockStmt_List {
		return nil
	}
	at, indent, ok := f.Above(loop.Node().Pos())
	pos := loop.Node().Pos()
	if !ok || !f.Universe("make", pos) || !f.Universe("byte", pos) {
		return nil
	}
	scratch := names.New(f, loop, "scratch")
	edits := []analysis.TextEdit{
		rewrite.Insert(at, indent+scratch+" := make([]byte, 0, "+room+")\n"),
		rewrite.Replace(sel.Sel, "AppendFormat"),
		rewrite.Insert(format.Args[0].Pos(), scratch+"[:0], "),
	}
	for _, c := range calls {
		call := c.Node().(*ast.CallExpr)
		if len(call.Args) == 1 { // w.WriteString
			edits = append(edits, rewrite.Replace(ast.Unparen(call.Fun).(*ast.SelectorExpr).Sel, "Write"))
			continue
		}
		w := f.Text(call.Args[0])
		switch call.Args[0].(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr, *ast.ParenExpr:
		default:
			w = "(" + w + ")"
		}
		write := analysis.TextEdit{Pos: call.Pos(), End: call.Args[1].Pos(), NewText: []byte(w + ".Write(")}
		edits = append(edits, write)
	}
	return f.Fix("Append the time without a string", edits...)
}
