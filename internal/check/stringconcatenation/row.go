package stringconcatenation

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// A row is a list of statements, one after the other, that build a string. The first one
// assigns the variable or appends to it, and the others append.
type row struct {
	at         inspector.Cursor // the first statement
	v          *types.Var
	statements []*ast.AssignStmt
	added      []ast.Expr // the first operand of each statement that is not v itself
}

// rowAt returns the row that begins with the statement at c. It reports false if the row
// begins earlier, or if it makes no more than one string.
func rowAt(info *types.Info, c inspector.Cursor) (r row, ok bool) {
	first := c.Node().(*ast.AssignStmt)
	r.at = c
	if r.v = grown(info, first); r.v == nil {
		r.v = assigned(info, first)
	} else if before, ok := c.PrevSibling(); ok && builds(info, before.Node(), r.v) {
		return row{}, false
	}
	if r.v == nil || mentionedIn(info, first, r.v) {
		return row{}, false
	}
	r.statements, r.added = []*ast.AssignStmt{first}, []ast.Expr{operand(info, first, r.v)}
	for next, more := c.NextSibling(); more; next, more = next.NextSibling() {
		s, ok := next.Node().(*ast.AssignStmt)
		if !ok || grown(info, s) != r.v || mentionedIn(info, s, r.v) {
			break
		}
		r.statements, r.added = append(r.statements, s), append(r.added, operand(info, s, r.v))
	}
	made := len(r.statements)
	if _, sum := ast.Unparen(first.Rhs[0]).(*ast.BinaryExpr); !sum && grown(info, first) == nil {
		made-- // v = x makes no string
	}
	return r, made > 1
}

// assigned returns the string variable that a statement gives a new value, or nil.
func assigned(info *types.Info, s *ast.AssignStmt) *types.Var {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
		return nil
	}
	v := rewrite.Variable(info, s.Lhs[0])
	if v == nil || !types.Identical(v.Type().Underlying(), types.Typ[types.String]) {
		return nil
	}
	return v
}

// builds reports whether a statement can stand before another one of a row of v.
func builds(info *types.Info, n ast.Node, v *types.Var) bool {
	s, ok := n.(*ast.AssignStmt)
	return ok && (grown(info, s) == v || assigned(info, s) == v) && !mentionedIn(info, s, v)
}

// mentionedIn reports whether a statement reads v beside appending to it.
func mentionedIn(info *types.Info, s *ast.AssignStmt, v *types.Var) bool {
	count := 0
	ast.Inspect(s.Rhs[0], func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] == v {
			count++
		}
		return true
	})
	if s.Tok == token.ASSIGN && grown(info, s) == v {
		count-- // v = v + x
	}
	return count > 0
}

// operand returns the first operand that a statement adds to v, and nil where it stands in
// parentheses together with v.
func operand(info *types.Info, s *ast.AssignStmt, v *types.Var) ast.Expr {
	if s.Tok != token.ASSIGN || grown(info, s) != v {
		return s.Rhs[0]
	}
	sum, _ := s.Rhs[0].(*ast.BinaryExpr)
	for sum != nil {
		if rewrite.Variable(info, sum.X) == v {
			return sum.Y
		}
		sum, _ = sum.X.(*ast.BinaryExpr)
	}
	return nil
}

// report describes the row. Its fix makes one expression of it.
func (r row) report(source *rewrite.Source) analysis.Diagnostic {
	d := analysis.Diagnostic{
		Pos: r.statements[0].Pos(), End: r.statements[len(r.statements)-1].End(),
		Message: fmt.Sprintf("%d statements in a row copy the string %s: one expression copies it once",
			len(r.statements), r.v.Name()),
	}
	file := source.File(r.at)
	if file == nil || slices.Contains(r.added, nil) || !source.Local(rewrite.Function(r.at), r.v) || !r.ordered(source) {
		return d
	}
	// The texts stay where they are, and so do comments behind them.
	var edits []analysis.TextEdit
	for i, s := range r.statements[1:] {
		if !ownLine(file.Between(r.statements[i].End(), s.Pos())) {
			return d
		}
		edits = append(edits, rewrite.Insert(r.statements[i].End(), " +"),
			analysis.TextEdit{Pos: s.Pos(), End: r.added[i+1].Pos(), NewText: []byte("\t")})
	}
	d.SuggestedFixes = file.Fix("join the statements", edits...)
	return d
}

// ownLine reports whether the text between two statements ends the line of the first, perhaps
// with a comment.
func ownLine(between string) bool {
	rest, _, ok := strings.Cut(between, "\n")
	rest = strings.TrimSpace(rest)
	return ok && (rest == "" || strings.HasPrefix(rest, "//"))
}

// ordered reports whether one expression evaluates as the row does. Go orders the calls of
// an expression, but may read its variables after them. So no call may follow that changes
// an operand, or that would come before the panic of one.
func (r row) ordered(source *rewrite.Source) bool {
	fn, info := rewrite.Function(r.at), source.Info
	settled, safe := true, true
	for _, s := range r.statements {
		if !settled && calls(info, s.Rhs[0]) {
			return false
		}
		for _, x := range operands(s.Rhs[0]) {
			if !source.Settled(fn, x) {
				settled = false
				safe = safe && rewrite.Pure(info, x)
			}
		}
	}
	return safe || settled
}

// operands returns the operands of a sum.
func operands(e ast.Expr) []ast.Expr {
	if sum, ok := ast.Unparen(e).(*ast.BinaryExpr); ok {
		return append(operands(sum.X), operands(sum.Y)...)
	}
	return []ast.Expr{e}
}

// calls reports whether an expression calls or receives anything, except for functions that
// have no effect and never panic.
func calls(info *types.Info, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			found = found || !info.Types[n.Fun].IsType() && !rewrite.IsBuiltin(info, n, "len") && !harmless(info, n)
		}
		return !found
	})
	return found
}

// harmless reports whether a call is one of a function of the standard library that only
// computes a text, and whose arguments cannot panic.
func harmless(info *types.Info, call *ast.CallExpr) bool {
	f := typeutil.StaticCallee(info, call)
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.FullName() {
	case "strconv.Itoa", "strconv.FormatInt", "strconv.FormatUint", "strconv.FormatBool", "strconv.Quote",
		"strings.ToLower", "strings.ToUpper", "strings.TrimSpace", "encoding/hex.EncodeToString":
		return !slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return rewrite.Panics(info, a) })
	}
	return false
}
