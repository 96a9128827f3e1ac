package requestbuffer

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/reuse"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// readAll reports the result of io.ReadAll that dies with the function. Reading into a
// bytes.Buffer gives the same bytes and errors.
func (s *search) readAll(d declaration) bool {
	call, ok := d.value.(*ast.CallExpr)
	if !ok {
		return false
	}
	switch rewrite.Callee(s.Info, call) {
	case "io.ReadAll", "io/ioutil.ReadAll":
	default:
		return false
	}
	fn := rewrite.Function(d.Cursor)
	if !s.Prover.VariableDies(fn, d.v) {
		return false
	}
	const message = "each call reads into new memory and drops it: read into a bytes.Buffer from a sync.Pool"
	s.report(d, message, nil, s.readInto(d, call))
	return true
}

// readInto reads into a buffer from a pool instead.
func (s *search) readInto(d declaration, call *ast.CallExpr) []analysis.SuggestedFix {
	assign := d.Node().(*ast.AssignStmt)
	failure, ok := assign.Lhs[1].(*ast.Ident)
	file := s.Source.File(d.Cursor)
	place, above := s.Hoister.Above(d.Cursor)
	if !ok || !above {
		return nil
	}
	bytes, imports, ok := reuse.Import(file, place, "bytes", assign)
	if !ok {
		return nil
	}
	typ := bytes + "Buffer"
	pool, ok := reuse.NewPool(place, file, d.Cursor, "Buffers", "*"+typ, "new("+typ+")")
	if !ok {
		return nil
	}
	buffer := s.Prover.Names.New(file, d.Cursor, "buf")
	token := " = "
	if s.Info.Defs[failure] != nil {
		token = " := "
	}
	lines := append(pool.TakeBuffer(buffer),
		"_, "+failure.Name+token+buffer+".ReadFrom("+file.Text(call.Args[0])+")",
		d.v.Name()+" := "+buffer+".Bytes()")
	edits := append(imports, pool.Edits()...)
	return file.Fix("Use a pool", append(edits, rewrite.Replace(assign, pool.Lines(lines...)))...)
}
