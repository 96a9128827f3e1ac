package encoder

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/reuse"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// marshal reports the call of json.Marshal at c whose text dies with the function. An
// encoder writes the same text and a line feed, or nothing but the same error.
func (s *search) marshal(c inspector.Cursor) {
	call, v := c.Node().(*ast.CallExpr), made(s.Info, c)
	if v == nil || !s.Prover.VariableDies(rewrite.Function(c), v) {
		return
	}
	s.Pass.Report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Category: rewrite.Sometimes,
		Message:        "each call marshals into new memory and drops it: encode into a bytes.Buffer from a sync.Pool",
		SuggestedFixes: s.encode(c),
	})
}

// encode encodes into a buffer from a pool instead.
func (s *search) encode(c inspector.Cursor) []analysis.SuggestedFix {
	call, stmt := c.Node().(*ast.CallExpr), c.Parent()
	assign := stmt.Node().(*ast.AssignStmt)
	of, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	failure, named := assign.Lhs[1].(*ast.Ident)
	if !ok || !named || failure.Name == "_" {
		return nil
	}
	place, ok := s.Hoister.Above(c)
	if !ok {
		return nil
	}
	file := s.Source.File(c)
	bytes, imports, ok := reuse.Import(file, place, "bytes", call)
	if !ok || !file.Universe("byte", call.Pos()) {
		return nil
	}
	pool, ok := reuse.NewPool(place, file, stmt, "JSONBuffers", "*"+bytes+"Buffer", "new("+bytes+"Buffer)")
	if !ok {
		return nil
	}
	define := token.ASSIGN
	if s.Info.Defs[failure] != nil {
		define = token.DEFINE
	}
	v, buffer := file.Text(assign.Lhs[0]), s.Prover.Names.New(file, stmt, "encoded")
	encode := failure.Name + " " + define.String() + " " + file.Text(of.X) + ".NewEncoder(" + buffer + ").Encode(" +
		file.Text(call.Args[0]) + ")"
	trim := v + " := " + bytes + "TrimSuffix(" + buffer + ".Bytes(), []byte(\"\\n\")) // which Encode adds"
	lines := append(pool.TakeBuffer(buffer), encode, trim)
	edits := append(imports, pool.Edits()...)
	return file.Fix("Use a pool", append(edits, rewrite.Replace(assign, pool.Lines(lines...)))...)
}
