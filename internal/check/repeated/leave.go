package repeated

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// guarded reports whether a statement before c, in the same list, may continue with
// the next iteration, other than because of an error.
func guarded(info *types.Info, c inspector.Cursor) bool {
	for prev, ok := c.PrevSibling(); ok; prev, ok = prev.PrevSibling() {
		stmt, ok := prev.Node().(ast.Stmt)
		if !ok || isClause(stmt) {
			return false
		}
		if branch, ok := stmt.(*ast.IfStmt); ok && failed(info, branch.Cond) && branch.Else == nil {
			continue
		}
		if continues(stmt) {
			return true
		}
	}
	return false
}

// continues reports whether a statement holds a continue for a loop around it.
func continues(stmt ast.Stmt) bool {
	found := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.CONTINUE
		}
		return !found
	})
	return found
}

// failed reports whether a condition is err != nil.
func failed(info *types.Info, cond ast.Expr) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	return ok && b.Op == token.NEQ && info.Types[b.Y].IsNil() && types.Identical(info.TypeOf(b.X), types.Universe.Lookup("error").Type())
}

// leaves reports whether control does not return after the statement at c: a
// statement of the same list, from c on, leaves the function or the loops. It records
// a break.
func (w *walk) leaves(c inspector.Cursor) bool {
	for next, ok := c, true; ok; next, ok = next.NextSibling() {
		stmt, ok := next.Node().(ast.Stmt)
		if !ok || isClause(stmt) {
			return false
		}
		if b, ok := stmt.(*ast.BranchStmt); ok && b.Tok == token.BREAK && b.Label == nil {
			w.breaks = true
			return false
		}
		if leaves(w.info, stmt) {
			return true
		}
	}
	return false
}

func isClause(n ast.Node) bool {
	switch n.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// others reports whether all other clauses of a switch or select leave the loop.
func others(info *types.Info, clause inspector.Cursor) bool {
	for other := range clause.Parent().Children() {
		if other == clause {
			continue
		}
		var body []ast.Stmt
		switch n := other.Node().(type) {
		case *ast.CaseClause:
			body = n.Body
		case *ast.CommClause:
			body = n.Body
		}
		if len(body) == 0 || !leaves(info, body[len(body)-1]) {
			return false
		}
	}
	return true
}

// leavesLast reports whether a branch leaves the function or the loop at its end.
func leavesLast(info *types.Info, branch ast.Stmt) bool {
	block, ok := branch.(*ast.BlockStmt)
	if !ok || len(block.List) == 0 {
		return false
	}
	last := block.List[len(block.List)-1]
	b, ok := last.(*ast.BranchStmt)
	return ok && b.Tok == token.BREAK || leaves(info, last)
}

// leaves reports whether a statement ends the function, or jumps out of loops.
func leaves(info *types.Info, stmt ast.Stmt) bool {
	switch s := stmt.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.GOTO || s.Tok == token.BREAK && s.Label != nil
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && ends(info, call)
	}
	return false
}

// ends reports whether a call does not return, judged by its callee or by its name.
func ends(info *types.Info, call *ast.CallExpr) bool {
	if rewrite.IsBuiltin(info, call, "panic") {
		return true
	}
	name := ""
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	}
	name = strings.ToLower(name)
	return name == "exit" || name == "goexit" || strings.HasPrefix(name, "fatal") || strings.HasPrefix(name, "panic")
}
