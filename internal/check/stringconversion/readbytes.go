package stringconversion

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// readBytes are the bytes of a string, and the variables that get parts of them, all of
// which a function only reads. The string itself serves.
type readBytes struct {
	pass   *analysis.Pass
	source *rewrite.Source
	file   *rewrite.File
	fn     inspector.Cursor
	vars   []*types.Var // grows while their mentions are looked at
	edits  []analysis.TextEdit
	copies int // how many conversions go, beside the first
}

// reportRead reports a variable that gets the bytes of a string to be read.
func reportRead(pass *analysis.Pass, c inspector.Cursor) {
	info, source := pass.TypesInfo, rewrite.Of(pass)
	assign := c.Node().(*ast.AssignStmt)
	if assign.Tok != token.DEFINE || len(assign.Lhs) != 1 {
		return
	}
	first, _ := info.Defs[assign.Lhs[0].(*ast.Ident)].(*types.Var)
	call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
	if first == nil || !ok || !convertsText(info, call) || info.Types[call.Args[0]].Value != nil {
		return
	}
	r := &readBytes{pass: pass, source: source, file: source.File(c), fn: rewrite.Function(c)}
	if r.file == nil || !r.join(first) {
		return
	}
	for i := 0; i < len(r.vars); i++ {
		for _, id := range source.Mentions(r.fn, r.vars[i]) {
			if !r.mention(id) {
				return
			}
		}
	}
	if r.copies == 0 {
		return // the copy may be on the stack, and no other goes
	}
	pass.Report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Category: rewrite.Sometimes,
		Message:        "the bytes are only read and made a string again: keep the string",
		SuggestedFixes: r.file.Fix("Keep the string", r.edits...),
	})
}

// convertsText reports whether a call is []byte(s) of a plain string.
func convertsText(info *types.Info, call *ast.CallExpr) bool {
	return len(call.Args) == 1 && info.Types[call.Fun].IsType() && isPlainBytes(info.TypeOf(call)) &&
		types.Identical(info.TypeOf(call.Args[0]), types.Typ[types.String])
}

func isPlainBytes(t types.Type) bool {
	return types.Identical(t, types.NewSlice(types.Typ[types.Byte]))
}

// join adds a variable of the function that gets bytes.
func (r *readBytes) join(v *types.Var) bool {
	if slices.Contains(r.vars, v) {
		return true
	}
	if v == nil || v.Kind() != types.LocalVar || !isPlainBytes(v.Type()) || !r.source.Local(r.fn, v) {
		return false
	}
	r.vars = append(r.vars, v)
	return true
}

// mention reports whether a mention of a variable has the same meaning for a string, and
// changes it where its text has to be another.
func (r *readBytes) mention(id inspector.Cursor) bool {
	switch id.ParentEdgeKind() {
	case edge.AssignStmt_Lhs:
		assign := id.Parent().Node().(*ast.AssignStmt)
		if len(assign.Lhs) != len(assign.Rhs) || assign.Tok != token.ASSIGN && assign.Tok != token.DEFINE {
			return false
		}
		return r.value(assign.Rhs[id.ParentEdgeIndex()])
	case edge.ValueSpec_Names:
		return r.declared(id.Parent().Node().(*ast.ValueSpec), id.ParentEdgeIndex())
	}
	return r.read(id)
}

// declared changes the type of var v []byte.
func (r *readBytes) declared(spec *ast.ValueSpec, i int) bool {
	if spec.Type == nil {
		return len(spec.Names) == len(spec.Values) && r.value(spec.Values[i])
	}
	if len(spec.Names) != 1 || len(spec.Values) != 0 || !r.file.Universe("string", spec.Pos()) {
		return false
	}
	r.change(rewrite.Replace(spec.Type, "string"))
	return true
}

// value reports whether an expression is bytes of a string or of one of the variables.
func (r *readBytes) value(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return r.join(rewrite.Variable(r.pass.TypesInfo, e))
	case *ast.SliceExpr:
		_, converts := ast.Unparen(e.X).(*ast.CallExpr)
		return !e.Slice3 && !converts && r.value(e.X)
	case *ast.CallExpr:
		if !convertsText(r.pass.TypesInfo, e) {
			return false
		}
		r.unwrap(e)
		return true
	}
	return false
}

// unwrap takes a conversion away from its operand.
func (r *readBytes) unwrap(call *ast.CallExpr) {
	arg := call.Args[0]
	r.change(analysis.TextEdit{Pos: call.Pos(), End: arg.Pos()}, analysis.TextEdit{Pos: arg.End(), End: call.End()})
}

// change adds edits once.
func (r *readBytes) change(edits ...analysis.TextEdit) {
	for _, e := range edits {
		if !slices.ContainsFunc(r.edits, func(o analysis.TextEdit) bool { return o.Pos == e.Pos && o.End == e.End }) {
			r.edits = append(r.edits, e)
		}
	}
}

// read reports whether the code around an expression reads it as it would a string.
func (r *readBytes) read(c inspector.Cursor) bool {
	info, parent := r.pass.TypesInfo, c.Parent()
	switch c.ParentEdgeKind() {
	case edge.ParenExpr_X:
		return r.read(parent)
	case edge.SliceExpr_X:
		return !parent.Node().(*ast.SliceExpr).Slice3 && r.read(parent)
	case edge.IndexExpr_X:
		return parent.ParentEdgeKind() != edge.AssignStmt_Lhs && parent.ParentEdgeKind() != edge.IncDecStmt_X &&
			parent.ParentEdgeKind() != edge.RangeStmt_Key && parent.ParentEdgeKind() != edge.RangeStmt_Value &&
			!rewrite.Addressed(info, parent) && parent.ParentEdgeKind() != edge.UnaryExpr_X
	case edge.AssignStmt_Rhs:
		assign := parent.Node().(*ast.AssignStmt)
		i := c.ParentEdgeIndex()
		return len(assign.Lhs) == len(assign.Rhs) && r.join(rewrite.Variable(info, assign.Lhs[i]))
	case edge.CallExpr_Args:
		return r.argument(parent, c.ParentEdgeIndex())
	}
	return false
}

// argument reports whether a call reads an argument that is a string the same way.
func (r *readBytes) argument(c inspector.Cursor, i int) bool {
	info, call := r.pass.TypesInfo, c.Node().(*ast.CallExpr)
	switch {
	case info.Types[call.Fun].IsType():
		if !types.Identical(info.TypeOf(call), types.Typ[types.String]) {
			return false
		}
		r.copies++
		r.unwrap(call)
		return true
	case rewrite.IsBuiltin(info, call, "len"):
		return true
	case rewrite.IsBuiltin(info, call, "append"), rewrite.IsBuiltin(info, call, "copy"):
		return i == 1 && (call.Ellipsis.IsValid() || len(call.Args) == 2 && rewrite.IsBuiltin(info, call, "copy"))
	}
	return r.twin(call)
}

// twin takes the function of package strings instead of the one of package bytes.
func (r *readBytes) twin(call *ast.CallExpr) bool {
	name := rewrite.Callee(r.pass.TypesInfo, call)
	for texts, other := range twins {
		if other.pkg == "" || other.pkg+"."+other.name != name {
			continue
		}
		if slices.ContainsFunc(call.Args[:other.texts], func(arg ast.Expr) bool { return !r.value(arg) }) {
			return false
		}
		dot := strings.LastIndexByte(texts, '.')
		qualifier, imports, ok := r.file.Import(texts[:dot], call.Pos())
		if !ok {
			return false
		}
		r.change(append(imports, rewrite.Replace(call.Fun, qualifier+texts[dot+1:]))...)
		return true
	}
	return false
}
