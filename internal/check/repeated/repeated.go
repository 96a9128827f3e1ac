// Package repeated finds the loop that evaluates an expression again in each
// iteration, and the position at which the compiler reports the expression's
// allocation.
package repeated

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// few is the most iterations, known at compile time, of a loop that cannot be hot.
const few = 8

// Loop is a loop that evaluates an expression more than once.
type Loop struct {
	inspector.Cursor
	Category string // rewrite.Sometimes, or ""
}

// Around returns the innermost loop of the same function whose iterations evaluate
// the expression at c. There is none in a test, where return, panic or the like
// follows, in go and defer statements, and in loops of few iterations. The analyzer
// has to require rewrite.Analyzer.
func Around(pass *analysis.Pass, c inspector.Cursor) (Loop, bool) {
	if strings.HasSuffix(pass.Fset.Position(c.Node().Pos()).Filename, "_test.go") {
		return Loop{}, false
	}
	w := walk{info: pass.TypesInfo, source: rewrite.Of(pass)}
	for ; c.Node() != nil; c = c.Parent() {
		switch w.step(c) {
		case never:
			return Loop{}, false
		case here:
			return Loop{c.Parent(), w.category}, true
		}
	}
	return Loop{}, false
}

// walk goes from an expression up to its loop.
type walk struct {
	info     *types.Info
	source   *rewrite.Source
	breaks   bool // a break follows, of the next loop, switch or select around
	category string
}

type verdict int

const (
	further verdict = iota
	never           // no loop repeats it
	here            // the parent is the loop
)

// step judges the place of c in its parent.
func (w *walk) step(c inspector.Cursor) verdict {
	kind, _ := c.ParentEdge()
	switch kind {
	case edge.Invalid, edge.FuncDecl_Body, edge.FuncLit_Body, edge.ReturnStmt_Results, edge.GoStmt_Call, edge.DeferStmt_Call:
		return never
	case edge.CallExpr_Args:
		if ends(w.info, c.Parent().Node().(*ast.CallExpr)) {
			return never
		}
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
		if w.leaves(c) {
			return never
		}
		w.maybe(guarded(w.info, c))
	case edge.IfStmt_Body:
		branch := c.Parent().Node().(*ast.IfStmt)
		w.maybe(branch.Else == nil || !leavesLast(w.info, branch.Else))
	case edge.IfStmt_Else:
		w.maybe(!leavesLast(w.info, c.Parent().Node().(*ast.IfStmt).Body))
	case edge.BinaryExpr_Y:
		op := c.Parent().Node().(*ast.BinaryExpr).Op
		w.maybe(op == token.LAND || op == token.LOR)
	case edge.SwitchStmt_Body, edge.TypeSwitchStmt_Body, edge.SelectStmt_Body:
		w.breaks = false
	case edge.ForStmt_Cond, edge.ForStmt_Post, edge.ForStmt_Body, edge.RangeStmt_Body:
		if !w.breaks && !w.short(c.Parent()) {
			return here
		}
		w.breaks = false
	}
	if clause := c.Node(); kind == edge.BlockStmt_List && isClause(clause) {
		w.maybe(!others(w.info, c))
	}
	return further
}

// maybe records that some iterations skip the expression.
func (w *walk) maybe(skipped bool) {
	if skipped {
		w.category = rewrite.Sometimes
	}
}

// short reports whether a loop has few iterations.
func (w *walk) short(loop inspector.Cursor) bool {
	count, ok := w.source.CountOf(loop)
	if !ok || count.Max < 0 {
		if r, is := loop.Node().(*ast.RangeStmt); is {
			lit, is := ast.Unparen(r.X).(*ast.CompositeLit)
			return is && len(lit.Elts) <= few
		}
		return false
	}
	return count.Max <= few
}
