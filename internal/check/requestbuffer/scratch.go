package requestbuffer

import (
	"go/ast"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/reuse"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// smallest is the size in bytes from which on a slice is worth a pool: below, the Get and
// Put cost as much as the allocation.
const smallest = 512

// scratch reports a slice of bytes of constant length that is only read into.
func (s *search) scratch(d declaration) bool {
	call, ok := d.value.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || !rewrite.IsBuiltin(s.Info, call, "make") ||
		types.TypeString(d.v.Type(), nil) != "[]byte" {
		return false
	}
	size := s.Info.Types[call.Args[1]].Value
	if size == nil {
		return false
	}
	if n, exact := constant.Int64Val(constant.ToInt(size)); !exact || n < smallest {
		return false
	}
	fn := rewrite.Function(d.Cursor)
	if !s.Prover.VariableDies(fn, d.v) || !s.onlyReadInto(fn, d.v) {
		return false
	}
	const message = "each call makes a buffer and drops it: keep an array in a sync.Pool"
	s.report(d, message, nil, s.array(d, call.Args[1]))
	return true
}

// array takes an array from a pool instead.
func (s *search) array(d declaration, size ast.Expr) []analysis.SuggestedFix {
	file := s.Source.File(d.Cursor)
	place, ok := s.Hoister.Above(d.Cursor)
	if !ok || !file.Universe("byte", d.Node().Pos()) {
		return nil
	}
	length := s.Info.Types[size].Value.ExactString()
	if place.Means(size) {
		length = file.Text(size)
	}
	typ := "[" + length + "]byte"
	pool, ok := reuse.NewPool(place, file, d.Cursor, "Buffers", "*"+typ, "new("+typ+")")
	if !ok {
		return nil
	}
	array := s.Prover.Names.New(file, d.Cursor, "array")
	lines := append(pool.Take(array), d.v.Name()+" := "+array+"[:]")
	return file.Fix("Use a pool", append(pool.Edits(), rewrite.Replace(d.Node(), pool.Lines(lines...)))...)
}

// onlyReadInto reports whether a function sees of a slice only what a call has read into
// it: the slice is an argument of Read and the like, and otherwise is cut to the number of
// bytes that such a call returned.
func (s *search) onlyReadInto(fn inspector.Cursor, v *types.Var) bool {
	for _, id := range s.Source.Mentions(fn, v) {
		switch id.ParentEdgeKind() {
		case edge.AssignStmt_Lhs:
			if s.Info.Defs[id.Node().(*ast.Ident)] != v {
				return false
			}
		case edge.CallExpr_Args:
			call := id.Parent()
			if !s.reads(call, id) && !rewrite.IsBuiltin(s.Info, call.Node().(*ast.CallExpr), "len") {
				return false
			}
		case edge.SliceExpr_X:
			cut := id.Parent().Node().(*ast.SliceExpr)
			if cut.Low != nil || cut.Max != nil || cut.High == nil {
				return false
			}
			if n := rewrite.Variable(s.Info, cut.High); !s.counts(fn, n, v) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// reads reports whether the call at c fills the argument at arg and returns the number of
// bytes, or copies by way of it.
func (s *search) reads(c, arg inspector.Cursor) bool {
	call := c.Node().(*ast.CallExpr)
	switch rewrite.Callee(s.Info, call) {
	case "io.ReadFull", "io.ReadAtLeast":
		return call.Args[1] == arg.Node()
	case "io.CopyBuffer":
		return true
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || s.Info.Selections[sel] == nil || call.Args[0] != arg.Node() {
		return false
	}
	method, ok := s.Info.Selections[sel].Obj().(*types.Func)
	if !ok || method.Pkg() == s.Pass.Pkg && !types.IsInterface(method.Signature().Recv().Type()) {
		return false
	}
	return method.Name() == "Read" || method.Name() == "ReadAt"
}

// counts reports whether a variable only ever holds the number of bytes that a call has
// read into v.
func (s *search) counts(fn inspector.Cursor, n, v *types.Var) bool {
	if !s.Source.Local(fn, n) || n.Kind() != types.LocalVar {
		return false
	}
	for _, id := range s.Source.Mentions(fn, n) {
		switch id.ParentEdgeKind() {
		case edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
			return false
		case edge.ValueSpec_Names:
			if len(id.Parent().Node().(*ast.ValueSpec).Values) > 0 {
				return false
			}
		case edge.AssignStmt_Lhs:
			assign := id.Parent().Node().(*ast.AssignStmt)
			call, ok := assign.Rhs[0].(*ast.CallExpr)
			if !ok || assign.Lhs[0] != id.Node() || rewrite.Callee(s.Info, call) == "io.CopyBuffer" {
				return false
			}
			if !s.readsInto(id.Parent().ChildAt(edge.AssignStmt_Rhs, 0), v) {
				return false
			}
		}
	}
	return true
}

// readsInto reports whether the call at c fills all of v.
func (s *search) readsInto(c inspector.Cursor, v *types.Var) bool {
	for i, arg := range c.Node().(*ast.CallExpr).Args {
		if rewrite.Variable(s.Info, arg) == v {
			return s.reads(c, c.ChildAt(edge.CallExpr_Args, i))
		}
	}
	return false
}
