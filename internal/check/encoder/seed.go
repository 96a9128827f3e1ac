package encoder

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// sizes are the constants with the sizes of sums, by the constructor of the hash.
var sizes = map[string]string{
	"crypto/md5.New": "Size", "crypto/sha1.New": "Size", "crypto/sha256.New": "Size", "crypto/sha256.New224": "Size224",
	"crypto/sha512.New": "Size", "crypto/sha512.New384": "Size384",
}

// readers are functions that read bytes and keep none of them, so that the bytes can be on the
// stack.
var readers = map[string]bool{
	"bytes.Compare": true, "bytes.Equal": true, "crypto/hmac.Equal": true, "crypto/subtle.ConstantTimeCompare": true,
	"encoding/hex.AppendEncode": true, "encoding/hex.Encode": true, "encoding/hex.EncodeToString": true,
	"(*encoding/base32.Encoding).EncodeToString": true, "(*encoding/base64.Encoding).EncodeToString": true,
	"(encoding/binary.bigEndian).Uint32": true, "(encoding/binary.bigEndian).Uint64": true,
	"(encoding/binary.littleEndian).Uint32": true, "(encoding/binary.littleEndian).Uint64": true,
}

// seeds reports the sums of the hash that the call at c makes if an array on the stack can hold
// them. It reports false if the hash or one of its sums can outlive the function: then a pool
// may serve.
//
// The compiler knows the type behind the interface hash.Hash, and with it that Sum keeps
// nothing, only where the variable has the constructor's result and no other value.
func (s *search) seeds(c inspector.Cursor, name string) bool {
	size, v, fn := sizes[name], made(s.Info, c), rewrite.Function(c)
	if size == "" || v == nil || !s.Source.Local(fn, v) {
		return false
	}
	var sums []inspector.Cursor
	for _, id := range s.Source.Mentions(fn, v) {
		if s.Info.Defs[id.Node().(*ast.Ident)] == v {
			continue
		}
		call := id.Parent().Parent()
		if id.ParentEdgeKind() != edge.SelectorExpr_X || id.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
			return false
		}
		switch id.Parent().Node().(*ast.SelectorExpr).Sel.Name {
		case "Write", "Reset", "Size", "BlockSize":
		case "Sum":
			if !s.Info.Types[call.Node().(*ast.CallExpr).Args[0]].IsNil() || !s.onlyRead(call) {
				return false
			}
			sums = append(sums, call)
		default:
			return false
		}
	}
	for _, sum := range sums {
		call, making := sum.Node().(*ast.CallExpr), c.Node()
		s.Pass.Report(analysis.Diagnostic{
			Pos: call.Pos(), End: call.End(), Category: rewrite.Sometimes,
			Message: "Sum(nil) puts the sum on the heap, where it is only read: " +
				"append it to an array on the stack",
			Related:        []analysis.RelatedInformation{{Pos: making.Pos(), End: making.End(), Message: "the hash"}},
			SuggestedFixes: s.seed(c, sum, size),
		})
	}
	return len(sums) > 0
}

// onlyRead reports whether nothing keeps the bytes that the expression at c returns.
func (s *search) onlyRead(c inspector.Cursor) bool {
	switch parent := c.Parent().Node().(type) {
	case *ast.ParenExpr:
		return s.onlyRead(c.Parent())
	case *ast.SliceExpr:
		return c.ParentEdgeKind() == edge.SliceExpr_X && s.onlyRead(c.Parent())
	case *ast.IndexExpr:
		return c.ParentEdgeKind() == edge.IndexExpr_X
	case *ast.CallExpr:
		switch {
		case c.ParentEdgeKind() != edge.CallExpr_Args || deferred(c.Parent()):
			return false
		case s.Info.Types[parent.Fun].IsType():
			basic, ok := s.Info.TypeOf(parent).Underlying().(*types.Basic)
			return ok && basic.Info()&types.IsString != 0
		case rewrite.IsBuiltin(s.Info, parent, "append"):
			return parent.Ellipsis.IsValid() && ast.Unparen(parent.Args[0]) != c.Node()
		case rewrite.IsBuiltin(s.Info, parent, "copy"):
			return parent.Args[1] == c.Node()
		}
		return readers[rewrite.Callee(s.Info, parent)]
	}
	return false
}

// deferred reports whether the call at c runs later than its arguments are evaluated.
func deferred(c inspector.Cursor) bool {
	return c.ParentEdgeKind() == edge.DeferStmt_Call || c.ParentEdgeKind() == edge.GoStmt_Call
}

// seed declares an array before the statement of the sum.
func (s *search) seed(c, sum inspector.Cursor, size string) []analysis.SuggestedFix {
	file := s.Source.File(c)
	of, ok := ast.Unparen(c.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	if file == nil || !ok {
		return nil
	}
	stmt := sum
	for stmt.ParentEdgeKind() != edge.BlockStmt_List {
		if _, lit := stmt.Node().(*ast.FuncLit); lit || stmt.Parent().Node() == nil {
			return nil
		}
		stmt = stmt.Parent()
	}
	switch stmt.Node().(type) {
	case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt, *ast.IfStmt, *ast.IncDecStmt:
	default:
		return nil // such as a loop, or a label
	}
	above, indent, alone := file.Above(stmt.Node().Pos())
	pos := stmt.Node().Pos()
	if !alone || !file.Universe("byte", pos) || !file.Means(of, pos) {
		return nil
	}
	name := s.Prover.Names.New(file, stmt, "sum")
	array := indent + "var " + name + " [" + file.Text(of.X) + "." + size + "]byte\n"
	arg := sum.Node().(*ast.CallExpr).Args[0]
	return file.Fix("Use an array on the stack", rewrite.Insert(above, array), rewrite.Replace(arg, name+"[:0]"))
}
