package requestbuffer

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/reuse"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// copies reports the call of io.Copy at c, which makes a buffer of 32 KiB if neither side
// can copy by itself.
func (s *search) copies(c inspector.Cursor) {
	call := c.Node().(*ast.CallExpr)
	if s.has(call.Args[0], "ReadFrom") || s.has(call.Args[1], "WriteTo") {
		return // it needs no buffer
	}
	s.Pass.Report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Category: rewrite.Sometimes,
		Message:        "each call of io.Copy makes a buffer: io.CopyBuffer takes one from a sync.Pool",
		SuggestedFixes: s.copyBuffer(c),
	})
}

// has reports whether an expression is io.Discard, which has a buffer of its own, or its
// static type has a method.
func (s *search) has(e ast.Expr, method string) bool {
	if v := rewrite.Root(s.Info, e); v != nil && v.Name() == "Discard" && v.Pkg() != nil && v.Pkg().Path() == "io" {
		return true
	}
	t := s.Info.TypeOf(e)
	return t != nil && types.NewMethodSet(t).Lookup(nil, method) != nil
}

// copyBuffer calls io.CopyBuffer with an array from a pool instead.
func (s *search) copyBuffer(c inspector.Cursor) []analysis.SuggestedFix {
	call := c.Node().(*ast.CallExpr)
	of, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	stmt := c
	for stmt.ParentEdgeKind() != edge.BlockStmt_List {
		switch stmt = stmt.Parent(); stmt.Node().(type) {
		case *ast.CaseClause, *ast.CommClause, *ast.GoStmt, *ast.DeferStmt, *ast.FuncLit, *ast.FuncDecl:
			return nil
		}
	}
	place, above := s.Hoister.Above(c)
	if !ok || !above {
		return nil
	}
	const typ = "[32 << 10]byte" // the size of io.Copy's own
	file := s.Source.File(c)
	if !file.Universe("byte", call.Pos()) {
		return nil
	}
	pool, ok := reuse.NewPool(place, file, stmt, "Buffers", "*"+typ, "new("+typ+")")
	if !ok {
		return nil
	}
	array := s.Prover.Names.New(file, stmt, "array")
	before := pool.Lines(append(pool.Take(array), "")...)
	return file.Fix("Use a pool", append(pool.Edits(),
		rewrite.Insert(stmt.Node().Pos(), before),
		rewrite.Replace(of.Sel, "CopyBuffer"),
		rewrite.Insert(call.Args[1].End(), ", "+array+"[:]"))...)
}
