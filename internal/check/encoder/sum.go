package encoder

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// sums are the functions that hash a text at once, by the constructor of the hash.
var sums = map[string]string{
	"crypto/md5.New": "Sum", "crypto/sha1.New": "Sum", "crypto/sha256.New": "Sum256", "crypto/sha256.New224": "Sum224",
	"crypto/sha512.New": "Sum512", "crypto/sha512.New384": "Sum384",
}

// sum reports the hash that the call at c makes if the next statement writes to it, and the
// one behind asks for the sum. It reports false if that is not all that uses the hash.
func (s *search) sum(c inspector.Cursor, name string) bool {
	at, v := sums[name], made(s.Info, c)
	if at == "" || v == nil || !s.Source.Local(rewrite.Function(c), v) ||
		c.Parent().ParentEdgeKind() != edge.BlockStmt_List {
		return false
	}
	first := c.Parent()
	second, ok := first.NextSibling()
	if !ok {
		return false
	}
	text := s.writtenTo(second, v)
	third, ok := second.NextSibling()
	if text == nil || !ok {
		return false
	}
	result := s.summed(third, v)
	if result == nil || len(s.Source.Mentions(rewrite.Function(c), v)) != 3 {
		return false
	}
	call := c.Node().(*ast.CallExpr)
	s.Pass.Report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Message: "the hash serves one Write: " + at + " needs none",
		SuggestedFixes: s.sumAtOnce(first, second, text, result, at),
	})
	return true
}

// writtenTo returns the bytes that the statement at c writes to a hash, or nil.
func (s *search) writtenTo(c inspector.Cursor, v *types.Var) ast.Expr {
	stmt, ok := c.Node().(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := stmt.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Write" || rewrite.Variable(s.Info, sel.X) != v {
		return nil
	}
	return call.Args[0]
}

// summed returns the call v.Sum(nil) in a simple statement at c, or nil. In a loop, or
// behind a branch, it might stand for several sums.
func (s *search) summed(c inspector.Cursor, v *types.Var) *ast.CallExpr {
	switch c.Node().(type) {
	case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt:
	default:
		return nil
	}
	for at := range c.Preorder((*ast.CallExpr)(nil)) {
		call := at.Node().(*ast.CallExpr)
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if ok && sel.Sel.Name == "Sum" && rewrite.Variable(s.Info, sel.X) == v && s.Info.Types[call.Args[0]].IsNil() {
			return call
		}
	}
	return nil
}

// sumAtOnce replaces the two statements, and the result of the third.
func (s *search) sumAtOnce(
	first, second inspector.Cursor, text ast.Expr, result *ast.CallExpr, at string,
) []analysis.SuggestedFix {
	file := s.Source.File(first)
	assign := first.Node().(*ast.AssignStmt)
	of, ok := assign.Rhs[0].(*ast.CallExpr).Fun.(*ast.SelectorExpr)
	if file == nil || !ok {
		return nil
	}
	line, _, alone := file.Above(second.Node().Pos())
	end := second.Node().End()
	if !alone || line > second.Node().Pos() || file.Between(end, end+1) != "\n" {
		return nil
	}
	name := s.Prover.Names.New(file, first, "sum")
	return file.Fix("Hash at once",
		rewrite.Replace(assign, name+" := "+file.Text(of.X)+"."+at+"("+file.Text(text)+")"),
		analysis.TextEdit{Pos: line, End: end + 1},
		rewrite.Replace(result, name+"[:]"))
}
