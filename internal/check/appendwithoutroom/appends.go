package appendwithoutroom

import (
	"go/ast"
	"go/token"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// appends counts the elements that a loop's body appends to a slice, and lists the
// calls.
type appends struct {
	place
	calls []*ast.CallExpr
}

// list returns the number of elements that every path through the statements
// appends. It reports false if the paths differ. An append below an expression
// or a nested loop is not listed in calls, so the caller finds a mention too
// many.
func (a *appends) list(stmts []ast.Stmt) (n int, ok bool) {
	for _, s := range stmts {
		more, ok := a.stmt(s)
		if !ok {
			return 0, false
		}
		n += more
	}
	return n, true
}

func (a *appends) stmt(s ast.Stmt) (n int, ok bool) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return a.assign(s), true
	case *ast.BlockStmt:
		return a.list(s.List)
	case *ast.IfStmt:
		yes, ok := a.list(s.Body.List)
		if !ok {
			return 0, false
		}
		no := 0
		if s.Else != nil {
			no, ok = a.stmt(s.Else)
		}
		return yes, ok && yes == no
	case *ast.SwitchStmt:
		return a.cases(s.Body)
	case *ast.TypeSwitchStmt:
		return a.cases(s.Body)
	}
	return 0, true
}

// cases counts for a switch. Without a default no case may run.
func (a *appends) cases(body *ast.BlockStmt) (n int, ok bool) {
	if !a.mentioned(body) {
		return 0, true
	}
	var counts []int
	hasDefault := false
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		hasDefault = hasDefault || c.List == nil
		if rewrite.Leaves(&ast.BlockStmt{List: c.Body}) || fallsThrough(c) {
			return 0, false
		}
		more, ok := a.list(c.Body)
		if !ok {
			return 0, false
		}
		counts = append(counts, more)
	}
	if !hasDefault {
		counts = append(counts, 0)
	}
	for _, c := range counts {
		if c != counts[0] {
			return 0, false
		}
	}
	return counts[0], true
}

func fallsThrough(c *ast.CaseClause) bool {
	if len(c.Body) == 0 {
		return false
	}
	b, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

func (a *appends) mentioned(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		found = found || ok && a.is(e)
		return !found
	})
	return found
}

// assign counts v = append(v, x, y).
func (a *appends) assign(s *ast.AssignStmt) int {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 || !a.is(s.Lhs[0]) {
		return 0
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok || !rewrite.IsBuiltin(a.info, call, "append") || call.Ellipsis.IsValid() || len(call.Args) < 2 ||
		!a.is(call.Args[0]) {
		return 0
	}
	a.calls = append(a.calls, call)
	return len(call.Args) - 1
}

// sum returns what v = append(v, x, y) and v = append(v, x...) add, nil for another
// statement.
func (a *appends) sum(stmt ast.Stmt) *sum {
	s, ok := stmt.(*ast.AssignStmt)
	if !ok {
		return nil
	}
	if n := a.assign(s); n > 0 {
		return &sum{constant: int64(n)}
	}
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 || !a.is(s.Lhs[0]) {
		return nil
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok || !rewrite.IsBuiltin(a.info, call, "append") || !call.Ellipsis.IsValid() ||
		!a.is(call.Args[0]) || !rewrite.Pure(a.info, call.Args[1]) {
		return nil
	}
	a.calls = append(a.calls, call)
	return &sum{lengths: call.Args[1:]}
}
