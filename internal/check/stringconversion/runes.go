package stringconversion

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// reportRunes reports a string that a statement converts to runes although only loops and
// len read them.
func reportRunes(pass *analysis.Pass, c inspector.Cursor, names *rewrite.Names) {
	info, source := pass.TypesInfo, rewrite.Of(pass)
	assign := c.Node().(*ast.AssignStmt)
	if assign.Tok != token.DEFINE || len(assign.Lhs) != 1 {
		return
	}
	call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
	if !ok || !info.Types[call.Fun].IsType() || !isRunes(info.TypeOf(call)) || !isString(info.TypeOf(call.Args[0])) {
		return
	}
	runes, _ := info.Defs[assign.Lhs[0].(*ast.Ident)].(*types.Var)
	text, fn := rewrite.Variable(info, call.Args[0]), rewrite.Function(c)
	if runes == nil || !source.Local(fn, runes) || !source.Local(fn, text) || rewrite.Once(pass, c) ||
		rewrite.Writes(info, fn.Node(), text) {
		return
	}
	r := rangedRunes{pass: pass, file: source.File(c), names: names, text: text, value: call.Args[0]}
	for _, id := range source.Mentions(fn, runes) {
		if info.Defs[id.Node().(*ast.Ident)] != runes && !r.read(id) {
			return
		}
	}
	if len(r.loops)+len(r.lengths) == 0 {
		return
	}
	pass.Report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Category: rewrite.Sometimes,
		Message:        "the conversion copies each rune: range over the string",
		SuggestedFixes: r.fix(c),
	})
}

func isRunes(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(slice.Elem(), types.Typ[types.Rune])
}

// rangedRunes are the runes of a string that only loops and len read.
type rangedRunes struct {
	pass    *analysis.Pass
	file    *rewrite.File
	names   *rewrite.Names
	text    *types.Var
	value   ast.Expr           // the mention of text that is converted
	loops   []inspector.Cursor // over the runes
	lengths []ast.Node         // calls of len
}

// read reports whether the mention of the runes at c only reads them.
func (r *rangedRunes) read(c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.RangeStmt_X:
		r.loops = append(r.loops, c.Parent())
		return true
	case edge.CallExpr_Args:
		call := c.Parent().Node().(*ast.CallExpr)
		r.lengths = append(r.lengths, call)
		return rewrite.IsBuiltin(r.pass.TypesInfo, call, "len")
	}
	return false
}

// fix ranges over the string, and counts its runes once where their number is read.
func (r *rangedRunes) fix(c inspector.Cursor) []analysis.SuggestedFix {
	f, name := r.file, r.text.Name()
	if f == nil || !types.Identical(r.text.Type(), types.Typ[types.String]) {
		return nil
	}
	pos := c.Node().Pos()
	edits := []analysis.TextEdit{rewrite.Replace(c.Node(), "")}
	if end, _ := f.Rest(c.Node()); end == c.Node().End() {
		edits[0] = analysis.TextEdit{Pos: f.Line(pos), End: end + 1} // no comment stays on the line
	}
	if above, _, alone := f.Above(pos); !alone || above != f.Line(pos) {
		return nil
	}
	if len(r.lengths) > 0 {
		utf8, imports, ok := f.Import("unicode/utf8", pos)
		n, named := r.names.Choose(f, pos, "n", "count")
		if !ok || !named || r.hidden(c, n) {
			return nil
		}
		edits[0] = rewrite.Replace(c.Node(), n+" := "+utf8+"RuneCountInString("+name+")")
		edits = append(edits, imports...)
		for _, call := range r.lengths {
			edits = append(edits, rewrite.Replace(call, n))
		}
	}
	for _, loop := range r.loops {
		more := r.overString(loop)
		if more == nil {
			return nil
		}
		edits = append(edits, more...)
	}
	return f.Fix("Range over the string", edits...)
}

// hidden reports whether something behind c in its function has a name.
func (r *rangedRunes) hidden(c inspector.Cursor, name string) bool {
	for id := range rewrite.Function(c).Preorder((*ast.Ident)(nil)) {
		if id.Node().(*ast.Ident).Name == name {
			return true
		}
	}
	return false
}

// overString ranges over the string. The index counts runes in a loop over runes, and
// bytes in one over a string.
func (r *rangedRunes) overString(c inspector.Cursor) []analysis.TextEdit {
	f, loop := r.file, c.Node().(*ast.RangeStmt)
	if !f.Means(r.value, loop.Pos()) {
		return nil
	}
	edits := []analysis.TextEdit{rewrite.Replace(loop.X, r.text.Name())}
	index, ok := loop.Key.(*ast.Ident)
	if !ok || index.Name == "_" {
		return edits
	}
	i, _ := r.pass.TypesInfo.Defs[index].(*types.Var)
	_, labeled := c.Parent().Node().(*ast.LabeledStmt)
	above, indent, alone := f.Above(loop.Pos())
	if i == nil || labeled || !alone || loop.Value == nil || len(loop.Body.List) == 0 ||
		!rewrite.Of(r.pass).Local(rewrite.Function(c), i) || rewrite.Writes(r.pass.TypesInfo, loop.Body, i) {
		return nil
	}
	if _, ok := r.names.Choose(f, loop.Pos(), i.Name()); !ok {
		return nil
	}
	to, inner, first := f.Above(loop.Body.List[0].Pos())
	if !first {
		return nil
	}
	return append(edits,
		rewrite.Insert(above, indent+i.Name()+" := -1\n"), rewrite.Replace(index, "_"),
		rewrite.Insert(to, inner+i.Name()+"++\n"))
}
