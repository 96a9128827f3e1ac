package boxing

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// removal describes a method that takes the last item of a slice.
type removal struct {
	result ast.Expr // the item, as the method returns it
	zero   ast.Expr // the value that the item's place gets, nil if it stays
}

// popReader follows the statements of a method Pop one by one.
type popReader struct {
	removal
	info    *types.Info
	recv    types.Object
	slices  map[types.Object]bool  // variables with the slice before it loses the item
	offsets map[types.Object]int64 // variables with the slice's length plus a constant
	item    types.Object           // the variable with the last item
	shrunk  bool
}

// readPop reports whether a method does nothing but take the last item of its receiver and
// return it.
func readPop(info *types.Info, decl *ast.FuncDecl) (removal, bool) {
	if len(decl.Recv.List[0].Names) != 1 || decl.Recv.List[0].Names[0].Name == "_" {
		return removal{}, false
	}
	r := &popReader{
		info: info, recv: info.Defs[decl.Recv.List[0].Names[0]],
		slices: map[types.Object]bool{}, offsets: map[types.Object]int64{},
	}
	for i, stmt := range decl.Body.List {
		switch stmt := stmt.(type) {
		case *ast.AssignStmt:
			if !r.assigns(stmt) {
				return removal{}, false
			}
		case *ast.ReturnStmt:
			if i != len(decl.Body.List)-1 || len(stmt.Results) != 1 || !r.shrunk {
				return removal{}, false
			}
			r.result = stmt.Results[0]
			v := info.Uses[identOf(r.result)]
			return r.removal, v != nil && v == r.item
		default:
			return removal{}, false
		}
	}
	return removal{}, false
}

// identOf returns the identifier that an expression is, or a new one.
func identOf(e ast.Expr) *ast.Ident {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return id
	}
	return ast.NewIdent("_")
}

// assigns reports whether an assignment belongs to taking the last item.
func (r *popReader) assigns(a *ast.AssignStmt) bool {
	if len(a.Lhs) != len(a.Rhs) || a.Tok != token.DEFINE && len(a.Lhs) != 1 {
		return false
	}
	if a.Tok == token.DEFINE {
		for i := range a.Lhs {
			if !r.defines(r.info.Defs[identOf(a.Lhs[i])], a.Rhs[i]) {
				return false
			}
		}
		return true
	}
	left, right := ast.Unparen(a.Lhs[0]), ast.Unparen(a.Rhs[0])
	switch left := left.(type) {
	case *ast.IndexExpr: // old[n-1] = T{}
		r.zero = right
		return r.item != nil && r.isSlice(left.X) && r.isOffset(left.Index, -1) && isZero(r.info, right)
	case *ast.StarExpr: // *q = old[:n-1]
		part, ok := right.(*ast.SliceExpr)
		if !ok || r.shrunk || r.item == nil || !r.isReceiver(left) || !r.isSlice(part.X) || part.Max != nil {
			return false
		}
		low := true
		if part.Low != nil {
			value := r.info.Types[part.Low].Value
			low = value != nil && constant.Sign(value) == 0
		}
		r.shrunk = low && part.High != nil && r.isOffset(part.High, -1)
		return r.shrunk
	}
	return false
}

// defines reports whether a new variable gets the slice, its length or its last item.
func (r *popReader) defines(v types.Object, value ast.Expr) bool {
	if v == nil {
		return false
	}
	if r.isSlice(value) {
		r.slices[v] = true
		return true
	}
	if offset, ok := r.offset(value); ok {
		r.offsets[v] = offset
		return true
	}
	index, ok := ast.Unparen(value).(*ast.IndexExpr)
	if !ok || r.item != nil || r.shrunk || !r.isSlice(index.X) || !r.isOffset(index.Index, -1) {
		return false
	}
	r.item = v
	return true
}

// isReceiver reports whether an expression is *q for the receiver q.
func (r *popReader) isReceiver(e ast.Expr) bool {
	star, ok := ast.Unparen(e).(*ast.StarExpr)
	return ok && r.info.Uses[identOf(star.X)] == r.recv
}

// isSlice reports whether an expression is the slice as it was at the beginning.
func (r *popReader) isSlice(e ast.Expr) bool {
	return r.slices[r.info.Uses[identOf(e)]] || !r.shrunk && r.isReceiver(e)
}

func (r *popReader) isOffset(e ast.Expr, want int64) bool {
	got, ok := r.offset(e)
	return ok && got == want
}

// offset returns how much an expression is larger than the slice's length.
func (r *popReader) offset(e ast.Expr) (int64, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		offset, ok := r.offsets[r.info.Uses[e]]
		return offset, ok
	case *ast.CallExpr:
		return 0, rewrite.IsBuiltin(r.info, e, "len") && r.isSlice(e.Args[0])
	case *ast.BinaryExpr:
		offset, ok := r.offset(e.X)
		value := r.info.Types[e.Y].Value
		if !ok || e.Op != token.SUB || value == nil || value.Kind() != constant.Int {
			return 0, false
		}
		by, exact := constant.Int64Val(value)
		return offset - by, exact
	}
	return 0, false
}

// isZero reports whether an expression is a constant, nil or a literal without elements.
func isZero(info *types.Info, e ast.Expr) bool {
	literal, ok := e.(*ast.CompositeLit)
	return ok && len(literal.Elts) == 0 || info.Types[e].Value != nil || info.Types[e].IsNil()
}
