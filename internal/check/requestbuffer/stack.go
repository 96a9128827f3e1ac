package requestbuffer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// onStack is the size in bytes of an array that a function can have on its stack at little
// cost: clearing it is cheaper than an allocation.
const onStack = 512

// stack reports a slice of numbers, of a length that only the call knows, of which nothing
// but elements are used. Short ones find room in an array.
func (s *search) stack(d declaration) bool {
	call, ok := d.value.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || !rewrite.IsBuiltin(s.Info, call, "make") || s.Info.Types[call.Args[1]].Value != nil {
		return false
	}
	typ, ok := ast.Unparen(call.Args[0]).(*ast.ArrayType)
	if !ok || typ.Len != nil || !types.Identical(s.Info.TypeOf(call.Args[1]), types.Typ[types.Int]) {
		return false
	}
	basic, ok := s.Info.TypeOf(typ.Elt).Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsNumeric == 0 || !s.onlyElements(rewrite.Function(d.Cursor), d.v) {
		return false
	}
	const message = "each call makes a slice and drops it: short ones have room in an array on the stack"
	s.report(d, message, nil, s.room(d, typ.Elt, call.Args[1]))
	return true
}

// onlyElements reports whether a function reads and writes elements of a slice, and does
// nothing else with it.
func (s *search) onlyElements(fn inspector.Cursor, v *types.Var) bool {
	if !s.Source.Local(fn, v) {
		return false
	}
	for _, id := range s.Source.Mentions(fn, v) {
		if s.Info.Defs[id.Node().(*ast.Ident)] == v {
			continue
		}
		if rewrite.Function(id) != fn {
			return false // a closure may keep it
		}
		switch id.ParentEdgeKind() {
		case edge.RangeStmt_X:
		case edge.IndexExpr_X:
			if id.Parent().ParentEdgeKind() == edge.UnaryExpr_X && id.Parent().Parent().Node().(*ast.UnaryExpr).Op == token.AND {
				return false
			}
		case edge.CallExpr_Args:
			call := id.Parent().Node().(*ast.CallExpr)
			if !rewrite.IsBuiltin(s.Info, call, "len") && !rewrite.IsBuiltin(s.Info, call, "clear") &&
				!rewrite.IsBuiltin(s.Info, call, "copy") {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// room lets the slice begin in an array if it is short. It has the same length and capacity.
func (s *search) room(d declaration, elem, length ast.Expr) []analysis.SuggestedFix {
	file, pos := s.Source.File(d.Cursor), d.Node().Pos()
	kind := d.ParentEdgeKind()
	list := kind == edge.BlockStmt_List || kind == edge.CaseClause_Body || kind == edge.CommClause_Body
	if file == nil || !list || !file.Universe("make", pos) || !file.Universe("len", pos) {
		return nil
	}
	_, indent, alone := file.Above(pos)
	if !alone || mentions(length, d.v.Name()) { // an outer variable, which the new one would hide
		return nil
	}
	array := s.Prover.Names.New(file, d.Cursor, "room")
	n, is := file.Text(length), ""
	if !s.Source.Local(rewrite.Function(d.Cursor), rewrite.Variable(s.Info, length)) {
		n = s.Prover.Names.New(file, d.Cursor, "n")
		is = n + " := " + file.Text(length) + "; "
	}
	fits := is
	if !s.positive(d.Cursor, length) {
		fits += "0 <= " + n + " && " // make panics in its own words
	}
	typ, v := file.Text(elem), d.v.Name()
	size := s.Pass.TypesSizes.Sizeof(s.Info.TypeOf(elem))
	made := file.Text(d.value) // as it was, so that it needs no test of its own
	if !rewrite.Pure(s.Info, length) {
		made = "make([]" + typ + ", " + n + ")"
	}
	text := fmt.Sprintf("var %[1]s [%[2]d]%[3]s\n"+
		"%[4]svar %[5]s []%[3]s\n"+
		"%[4]sif %[7]s%[6]s <= len(%[1]s) {\n"+
		"%[4]s\t%[5]s = %[1]s[:%[6]s:%[6]s]\n"+
		"%[4]s} else {\n"+
		"%[4]s\t%[5]s = %[8]s\n"+
		"%[4]s}", array, onStack/size, typ, indent, v, n, fits, made)
	return file.Fix("Use an array on the stack", rewrite.Replace(d.Node(), text))
}

func mentions(e ast.Expr, name string) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// positive reports whether a length cannot be negative: it is a len, a sum of these and
// constants, or a variable that is given such a value once.
func (s *search) positive(c inspector.Cursor, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return rewrite.IsBuiltin(s.Info, e, "len")
	case *ast.BinaryExpr:
		return e.Op == token.ADD && s.positive(c, e.X) && s.positive(c, e.Y)
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		fn, v := rewrite.Function(c), rewrite.Variable(s.Info, e)
		if v == nil || !s.Source.Local(fn, v) || !s.Source.Settled(fn, e) {
			return false
		}
		for _, id := range s.Source.Mentions(fn, v) {
			assign, ok := id.Parent().Node().(*ast.AssignStmt)
			if ok && s.Info.Defs[id.Node().(*ast.Ident)] == v && len(assign.Lhs) == len(assign.Rhs) {
				_, i := id.ParentEdge()
				_, again := ast.Unparen(assign.Rhs[i]).(*ast.Ident)
				return !again && s.positive(c, assign.Rhs[i])
			}
		}
	}
	return false
}
