package split

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// cut is a slice of parts of which only a few parts and their number are read.
type cut struct {
	info  *types.Info
	decl  inspector.Cursor // parts := strings.SplitN(s, sep, 2)
	call  *ast.CallExpr
	parts *types.Var
	// n is the number of parts that tests ask for. There are at most n, unless the call makes
	// a slice of all.
	n   int64
	all bool
	// reads are parts[0], parts[1] and so on, and tests are comparisons of len(parts).
	reads [most][]ast.Node
	tests map[ast.Node]test
}

// test is a comparison of len(parts) with a number.
type test struct {
	is    bool // it asks for n parts
	alone bool // it is a whole condition
}

// most is the largest number of parts for which calls of strings.Cut are easy to read.
const most = 4

// reportCut reports the statement at c if strings.Cut does the same.
func reportCut(pass *analysis.Pass, c inspector.Cursor, names *rewrite.Names) {
	assign := c.Node().(*ast.AssignStmt)
	if assign.Tok != token.DEFINE && assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 {
		return
	}
	value := ast.Unparen(assign.Rhs[0])
	if index, ok := value.(*ast.IndexExpr); ok && number(pass.TypesInfo, index.Index) == 0 {
		if call, ok := ast.Unparen(index.X).(*ast.CallExpr); ok && splits(pass.TypesInfo, call, true) {
			report(pass, call, cutFirst(pass, c, call))
		}
		return
	}
	call, ok := value.(*ast.CallExpr)
	if !ok || assign.Tok != token.DEFINE || !splits(pass.TypesInfo, call, true) {
		return
	}
	parts, _ := pass.TypesInfo.Defs[assign.Lhs[0].(*ast.Ident)].(*types.Var)
	d := &cut{info: pass.TypesInfo, decl: c, call: call, parts: parts, n: 2, tests: map[ast.Node]test{}}
	source := rewrite.Of(pass)
	if !source.Local(rewrite.Function(c), parts) {
		return
	}
	if d.all = rewrite.Callee(d.info, call) == "strings.Split"; d.all {
		d.n = d.asked(source)
	}
	switch {
	case d.n < 2 || d.n > most || !d.read(source):
	case d.all:
		report(pass, call, d.fixAll(source.File(c), names))
	default:
		report(pass, call, d.fix(source.File(c), names))
	}
}

func report(pass *analysis.Pass, call *ast.CallExpr, fix []analysis.SuggestedFix) {
	pass.Report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), SuggestedFixes: fix,
		Message: "the slice of parts is only read: strings.Cut needs none",
	})
}

// splits reports whether a call splits a string at a constant separator, into two parts or,
// with all, into any number.
func splits(info *types.Info, call *ast.CallExpr, all bool) bool {
	name := rewrite.Callee(info, call)
	if name != "strings.SplitN" && (name != "strings.Split" || !all) {
		return false
	}
	sep := info.Types[call.Args[1]].Value
	if sep == nil || constant.StringVal(sep) == "" {
		return false
	}
	return name == "strings.Split" || number(info, call.Args[2]) == 2
}

// number returns the value of a constant, -1 if an expression has none.
func number(info *types.Info, e ast.Expr) int64 {
	if v := info.Types[e].Value; v != nil {
		if n, exact := constant.Int64Val(constant.ToInt(v)); exact {
			return n
		}
	}
	return -1
}

// cutFirst changes x := strings.Split(s, sep)[0], and the same with =.
func cutFirst(pass *analysis.Pass, c inspector.Cursor, call *ast.CallExpr) []analysis.SuggestedFix {
	f := rewrite.Of(pass).File(c)
	if f == nil || !f.AtLeast("go1.18") {
		return nil
	}
	assign := c.Node().(*ast.AssignStmt)
	return f.Fix("Use strings.Cut",
		rewrite.Insert(assign.Lhs[0].End(), ", _, _"), rewrite.Replace(assign.Rhs[0], cutText(f, call)))
}

// read finds the mentions of the parts. It reports false if one is not known, or reads a
// part after the first where there may be none.
func (d *cut) read(source *rewrite.Source) bool {
	for _, id := range source.Mentions(rewrite.Function(d.decl), d.parts) {
		if d.info.Defs[id.Node().(*ast.Ident)] == d.parts {
			continue
		}
		switch id.ParentEdgeKind() {
		case edge.CallExpr_Args:
			is, ok := d.test(id.Parent())
			if !ok {
				return false
			}
			e := id.Parent().Parent()
			d.tests[e.Node()] = test{is, e.ParentEdgeKind() == edge.IfStmt_Cond}
		case edge.IndexExpr_X:
			index := id.Parent()
			switch n := number(d.info, index.Node().(*ast.IndexExpr).Index); {
			case n < 0 || n >= d.n || written(index) || n > 0 && !d.proven(index):
				return false
			default:
				d.reads[n] = append(d.reads[n], index.Node())
			}
		default:
			return false
		}
	}
	return slices.ContainsFunc(d.reads[:], func(of []ast.Node) bool { return len(of) > 0 })
}

// written reports whether a statement assigns the expression at c.
func written(c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.UnaryExpr_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
		return true
	}
	return false
}

// test reports whether the comparison around len(parts) at c is true if there are n, and
// whether it is such a comparison.
func (d *cut) test(c inspector.Cursor) (is, ok bool) {
	call, isCall := c.Node().(*ast.CallExpr)
	e, compares := c.Parent().Node().(*ast.BinaryExpr)
	if !isCall || !compares || e.X != call || !rewrite.IsBuiltin(d.info, call, "len") {
		return false, false
	}
	return d.compares(e)
}

// compares reports whether a comparison of the number of parts is true if there are n, and
// whether it is false otherwise.
func (d *cut) compares(e *ast.BinaryExpr) (is, ok bool) {
	if d.all {
		return e.Op == token.EQL, (e.Op == token.EQL || e.Op == token.NEQ) && number(d.info, e.Y) == d.n
	}
	type comparison struct {
		op token.Token
		n  int64
	}
	switch (comparison{e.Op, number(d.info, e.Y)}) {
	case comparison{token.EQL, 2}, comparison{token.GTR, 1}, comparison{token.GEQ, 2}, comparison{token.NEQ, 1}:
		return true, true
	case comparison{token.NEQ, 2}, comparison{token.LSS, 2}, comparison{token.LEQ, 1}, comparison{token.EQL, 1}:
		return false, true
	}
	return false, false
}

// proven reports whether there are n parts wherever the expression at c is evaluated.
func (d *cut) proven(c inspector.Cursor) bool {
	for ; c.Node() != d.decl.Parent().Node() && c.Parent().Valid(); c = c.Parent() {
		switch kind := c.ParentEdgeKind(); kind {
		case edge.FuncLit_Body:
			return false
		case edge.IfStmt_Body:
			if d.asks(c.Parent().Node().(*ast.IfStmt).Cond, token.LAND, true) {
				return true
			}
		case edge.IfStmt_Else:
			if d.asks(c.Parent().Node().(*ast.IfStmt).Cond, token.LOR, false) {
				return true
			}
		case edge.BinaryExpr_Y:
			switch e := c.Parent().Node().(*ast.BinaryExpr); e.Op {
			case token.LAND, token.LOR:
				if d.asks(e.X, e.Op, e.Op == token.LAND) {
					return true
				}
			}
		case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
			if d.left(c) {
				return true
			}
		}
	}
	return false
}

// asks reports whether one of the conditions that op joins asks whether there are n parts,
// or not n.
func (d *cut) asks(cond ast.Expr, op token.Token, want bool) bool {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if e.Op == op {
		return d.asks(e.X, op, want) || d.asks(e.Y, op, want)
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok || !rewrite.IsBuiltin(d.info, call, "len") || rewrite.Variable(d.info, call.Args[0]) != d.parts {
		return false
	}
	is, known := d.compares(e)
	return known && is == want
}

// left reports whether a statement before c, in the same list, leaves it without n parts.
func (d *cut) left(c inspector.Cursor) bool {
	for prev, ok := c.PrevSibling(); ok && prev.Node().Pos() > d.decl.Node().Pos(); prev, ok = prev.PrevSibling() {
		branch, ok := prev.Node().(*ast.IfStmt)
		if !ok || len(branch.Body.List) == 0 || !d.asks(branch.Cond, token.LOR, false) {
			continue
		}
		switch last := branch.Body.List[len(branch.Body.List)-1].(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			return last.Tok == token.CONTINUE || last.Tok == token.BREAK
		case *ast.ExprStmt:
			call, ok := last.X.(*ast.CallExpr)
			return ok && rewrite.IsBuiltin(d.info, call, "panic")
		}
	}
	return false
}

// fix gives the parts names of their own.
func (d *cut) fix(f *rewrite.File, names *rewrite.Names) []analysis.SuggestedFix {
	if f == nil || !f.AtLeast("go1.18") {
		return nil
	}
	var edits []analysis.TextEdit
	left := [3]string{"_", "_", "_"}
	pos := d.decl.Node().Pos()
	name := func(i int, candidates ...string) bool {
		var ok bool
		left[i], ok = names.Choose(f, pos, d.unmentioned(candidates)...)
		return ok
	}
	if len(d.reads[0]) > 0 && !name(0, "before", "head") || len(d.reads[1]) > 0 && !name(1, "after", "tail") ||
		len(d.tests) > 0 && !name(2, "found", "ok") {
		return nil
	}
	for i, nodes := range d.reads[:2] {
		for _, n := range nodes {
			edits = append(edits, rewrite.Replace(n, left[i]))
		}
	}
	for n, test := range d.tests {
		if test.is {
			edits = append(edits, rewrite.Replace(n, left[2]))
		} else {
			edits = append(edits, rewrite.Replace(n, "!"+left[2]))
		}
	}
	text := left[0] + ", " + left[1] + ", " + left[2] + " := " + cutText(f, d.call)
	return f.Fix("Use strings.Cut", append(edits, rewrite.Replace(d.decl.Node(), text))...)
}

// unmentioned returns the names that nothing in the function has.
func (d *cut) unmentioned(names []string) []string {
	for id := range rewrite.Function(d.decl).Preorder((*ast.Ident)(nil)) {
		names = slices.DeleteFunc(names, func(name string) bool { return name == id.Node().(*ast.Ident).Name })
	}
	return names
}

// cutText returns the call of strings.Cut for one that splits.
func cutText(f *rewrite.File, call *ast.CallExpr) string {
	return of(f, call, "Cut", f.Text(call.Args[0]))
}

// of returns a call of a function of package strings with a text and the separator of a call.
func of(f *rewrite.File, call *ast.CallExpr, function, text string) string {
	qualifier := ""
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		qualifier = f.Text(sel.X) + "."
	}
	return qualifier + function + "(" + text + ", " + f.Text(call.Args[1]) + ")"
}
