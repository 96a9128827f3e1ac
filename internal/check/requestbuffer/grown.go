package requestbuffer

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/heapwright/heapwright/internal/check/reuse"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// grown reports an empty slice of bytes that is only appended to, and dies with the
// function.
func (s *search) grown(d declaration) bool {
	if types.TypeString(d.v.Type(), nil) != "[]byte" || !s.emptySlice(d.value) {
		return false
	}
	fn := rewrite.Function(d.Cursor)
	if !s.Prover.VariableDies(fn, d.v) {
		return false
	}
	var appends []ast.Node
	for _, id := range s.Source.Mentions(fn, d.v) {
		switch id.ParentEdgeKind() {
		case edge.AssignStmt_Lhs:
			assign := id.Parent().Node().(*ast.AssignStmt)
			if assign == d.Node() {
				continue
			}
			if len(assign.Lhs) != 1 || assign.Tok != token.ASSIGN || !s.appendsTo(assign.Rhs[0], d.v) {
				return false
			}
			appends = append(appends, assign.Rhs[0])
		case edge.SliceExpr_X: // memory behind the length has old bytes
			if cut := id.Parent().Node().(*ast.SliceExpr); cut.High != nil && !s.emptied(cut) {
				return false
			}
		}
	}
	if len(appends) == 0 {
		return false
	}
	const message = "each call grows a slice of bytes and drops it: keep it in a sync.Pool and append to it again"
	s.report(d, message, appends, s.slice(d))
	return true
}

// emptySlice reports whether the value of a new variable is nil or an empty slice.
func (s *search) emptySlice(value ast.Expr) bool {
	switch e := value.(type) {
	case nil:
		return true
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		return rewrite.IsBuiltin(s.Info, e, "make") && len(e.Args) > 1 && s.zero(e.Args[1]) &&
			(len(e.Args) < 3 || rewrite.Pure(s.Info, e.Args[2]))
	}
	return false
}

// appendsTo reports whether an expression is the slice with more bytes behind it.
func (s *search) appendsTo(e ast.Expr, v *types.Var) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	if !rewrite.IsBuiltin(s.Info, call, "append") && !reuse.Appends(rewrite.Callee(s.Info, call)) {
		return false
	}
	first := ast.Unparen(call.Args[0])
	if cut, ok := first.(*ast.SliceExpr); ok {
		if !s.emptied(cut) {
			return false
		}
		first = cut.X
	}
	return rewrite.Variable(s.Info, first) == v || s.appendsTo(first, v)
}

// emptied reports whether an expression is s[:0].
func (s *search) emptied(cut *ast.SliceExpr) bool {
	return cut.Low == nil && cut.High != nil && cut.Max == nil && s.zero(cut.High)
}

func (s *search) zero(e ast.Expr) bool {
	value := s.Info.Types[e].Value
	return value != nil && value.ExactString() == "0"
}

// slice takes a pointer to a slice from a pool instead: Put would copy the slice itself to
// the heap.
func (s *search) slice(d declaration) []analysis.SuggestedFix {
	file := s.Source.File(d.Cursor)
	place, ok := s.Hoister.Above(d.Cursor)
	if !ok || !file.Universe("byte", d.Node().Pos()) || !file.Universe("cap", d.Node().Pos()) {
		return nil
	}
	pool, ok := reuse.NewPool(place, file, d.Cursor, "Buffers", "*[]byte", "new([]byte)")
	if !ok {
		return nil
	}
	pooled := s.Prover.Names.New(file, d.Cursor, "pooled")
	lines := pool.TakeSlice(pooled, d.v.Name())
	return file.Fix("Use a pool", append(pool.Edits(), rewrite.Replace(d.Node(), pool.Lines(lines...)))...)
}
