package pooled

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// Puts reports whether a function's body puts the value of v into a pool whenever it
// runs. Tests for nil, of a type, and of a length or capacity do not count: such a
// helper drops values that are not worth keeping, and its caller must not use them
// either. Other tests do count, for example of a reference counter.
func (h *Helpers) Puts(body *ast.BlockStmt, v *types.Var) bool {
	if v.Name() == "" || v.Name() == "_" || kind(v.Type()) == text {
		return false
	}
	w := &walk{h, map[*types.Var]bool{v: true}, map[*types.Var]bool{}}
	w.limits(body)
	return w.list(body.List) == put
}

// limits notes the variables that a length or capacity is compared with.
func (w *walk) limits(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		if e, ok := n.(*ast.BinaryExpr); ok {
			switch e.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				if v := rewrite.Variable(w.info, e.Y); v != nil && w.size(e.X) {
					w.sizes[v] = true
				}
				if v := rewrite.Variable(w.info, e.X); v != nil && w.size(e.Y) {
					w.sizes[v] = true
				}
			}
		}
		return true
	})
}

type outcome int

const (
	unknown outcome = iota // a path may leave without a Put
	put
	through // no Put so far, on any path
)

type walk struct {
	*Helpers
	names map[*types.Var]bool // variables that hold the value
	sizes map[*types.Var]bool // variables that hold a length or capacity, or whether a type is the one asserted
}

func (w *walk) list(stmts []ast.Stmt) outcome {
	for _, s := range stmts {
		if o := w.stmt(s); o != through {
			return o
		}
	}
	return through
}

func (w *walk) stmt(s ast.Stmt) outcome {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && w.call(call) {
			return put
		}
	case *ast.DeferStmt:
		if w.call(s.Call) {
			return put
		}
		if lit, ok := s.Call.Fun.(*ast.FuncLit); ok && w.inner(lit.Body.List) == put {
			return put
		}
	case *ast.AssignStmt:
		if w.anyCall(s.Rhs) {
			return put
		}
		return w.assign(s)
	case *ast.DeclStmt:
		return w.assign(s)
	case *ast.BlockStmt:
		return w.list(s.List)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt)
	case *ast.IfStmt:
		if s.Init != nil {
			if o := w.stmt(s.Init); o != through {
				return o
			}
		}
		branches := []outcome{w.inner(s.Body.List), through}
		if s.Else != nil {
			branches[1] = w.inner([]ast.Stmt{s.Else})
		}
		return join(w.harmless(s.Cond), branches)
	case *ast.SwitchStmt:
		if s.Init != nil {
			w.assign(s.Init)
		}
		return w.cases(s.Body, s.Tag)
	case *ast.TypeSwitchStmt:
		return w.types(s)
	case *ast.ForStmt:
		return join(w.harmless(s.Cond), []outcome{w.inner(s.Body.List), through})
	case *ast.RangeStmt:
		return join(false, []outcome{w.inner(s.Body.List), through})
	case *ast.SelectStmt:
		return join(false, []outcome{w.inner(s.Body.List), through})
	case *ast.CommClause:
		return w.list(s.Body)
	case *ast.ReturnStmt:
		if w.anyCall(s.Results) {
			return put
		}
		return unknown
	case *ast.BranchStmt:
		return unknown
	}
	return through
}

// inner walks statements that may not run.
func (w *walk) inner(stmts []ast.Stmt) outcome {
	return w.clone().list(stmts)
}

func (w *walk) clone() *walk { return &walk{w.Helpers, maps.Clone(w.names), maps.Clone(w.sizes)} }

// join combines the outcomes of branches. If the test between them is harmless,
// one Put is enough, and a branch that leaves without one is no concern.
func join(harmless bool, branches []outcome) outcome {
	count := map[outcome]int{}
	for _, o := range branches {
		count[o]++
	}
	switch {
	case count[put] == len(branches), harmless && count[put] > 0:
		return put
	case harmless, count[through] == len(branches):
		return through
	}
	return unknown
}

// call reports whether a call puts the value.
func (w *walk) call(call *ast.CallExpr) bool {
	return slices.ContainsFunc(w.PutMemory(call), func(v *types.Var) bool { return w.names[v] })
}

// anyCall reports whether one of the expressions is a call that puts the value.
func (w *walk) anyCall(all []ast.Expr) bool {
	return slices.ContainsFunc(all, func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && w.call(call)
	})
}

// assign notes the variables that hold the value after a statement.
func (w *walk) assign(s ast.Stmt) outcome {
	lost := false
	ast.Inspect(s, func(n ast.Node) bool {
		w.assigned(n, func(v *types.Var, from ast.Expr) {
			w.sizes[v] = w.sizes[v] || w.size(from)
			switch {
			case w.names[w.Memory(from)]:
				w.names[v] = true
			case w.names[v]:
				delete(w.names, v)
				lost = len(w.names) == 0
			}
		})
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 2 && len(a.Rhs) == 1 {
			if _, assertion := ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr); assertion {
				w.sizes[rewrite.Variable(w.info, a.Lhs[1])] = true
			}
		}
		_, lit := n.(*ast.FuncLit)
		return !lit
	})
	if lost {
		return unknown
	}
	return through
}

func (w *walk) cases(body *ast.BlockStmt, tag ast.Expr) outcome {
	harmless := tag == nil || w.size(tag)
	branches := []outcome{through}
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			branches = branches[1:]
		}
		for _, e := range c.List {
			harmless = harmless && (tag != nil || w.harmless(e))
		}
		branches = append(branches, w.inner(c.Body))
	}
	return join(harmless, branches)
}

// types walks a switch on the value's type.
func (w *walk) types(s *ast.TypeSwitchStmt) outcome {
	var of ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		of = a.Rhs[0]
	case *ast.ExprStmt:
		of = a.X
	}
	own := w.names[w.Memory(of)]
	var branches []outcome
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		in := w.clone()
		if v, ok := w.info.Implicits[c].(*types.Var); ok && own {
			in.names[v] = true
		}
		branches = append(branches, in.list(c.Body))
	}
	return join(own, append(branches, through))
}

// harmless reports whether a condition tests only for nil, for a type, or for a
// length or capacity.
func (w *walk) harmless(cond ast.Expr) bool {
	switch e := cond.(type) {
	case nil:
		return true
	case *ast.ParenExpr:
		return w.harmless(e.X)
	case *ast.Ident: // as in v, ok := x.(T)
		return w.sizes[rewrite.Variable(w.info, e)]
	case *ast.UnaryExpr:
		return e.Op == token.NOT && w.harmless(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			return w.harmless(e.X) && w.harmless(e.Y)
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return w.size(e.X) || w.size(e.Y) || w.null(e.X) && w.held(e.Y) || w.null(e.Y) && w.held(e.X)
		}
	}
	return false
}

func (w *walk) null(e ast.Expr) bool { return w.info.Types[e].IsNil() }

func (w *walk) held(e ast.Expr) bool { return w.names[w.Place(e)] }

// size reports whether an expression measures memory.
func (w *walk) size(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || w.sizes[rewrite.Variable(w.info, n)]
		case *ast.CallExpr:
			sel, method := n.Fun.(*ast.SelectorExpr)
			found = found || rewrite.IsBuiltin(w.info, n, "cap") || rewrite.IsBuiltin(w.info, n, "len") ||
				method && (sel.Sel.Name == "Cap" || sel.Sel.Name == "Len")
		}
		return true
	})
	return found
}
