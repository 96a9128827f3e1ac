package deferloop

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// releases reports whether a deferred call releases a value that the same iteration
// of the innermost loop acquired, and that lives no longer than the iteration.
func releases(info *types.Info, deferred inspector.Cursor) bool {
	body := iteration(deferred)
	if body == nil {
		return false
	}
	got := acquired(info, body, deferred)
	for c := range deferred.Preorder((*ast.Ident)(nil)) {
		v, ok := info.Uses[c.Node().(*ast.Ident)].(*types.Var)
		if ok && slices.Contains(got, v) && !kept(info, body, deferred.Node(), v) {
			return true
		}
	}
	return false
}

// iteration returns the body of the loop that a statement is directly in. An if
// statement with an initialization may stand between them: it got the thing. Other
// branches may be taken in one iteration alone.
func iteration(stmt inspector.Cursor) *ast.BlockStmt {
	block := stmt.Parent()
	if branch, ok := block.Parent().Node().(*ast.IfStmt); ok && branch.Init != nil {
		block = block.Parent().Parent()
	}
	switch loop := block.Parent().Node().(type) {
	case *ast.ForStmt:
		return loop.Body
	case *ast.RangeStmt:
		return loop.Body
	}
	return nil
}

// acquired returns the variables that the statements of body before stmt define by a
// call, and those of a loop over a channel or an iterator.
func acquired(info *types.Info, body *ast.BlockStmt, stmt inspector.Cursor) []*types.Var {
	var all []*types.Var
	define := func(n ast.Node) {
		if assign, ok := n.(*ast.AssignStmt); ok && len(assign.Rhs) == 1 && assign.Pos() < stmt.Node().Pos() {
			if _, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr); ok {
				all = append(all, variables(info, assign.Lhs...)...)
			}
		}
	}
	for _, s := range body.List {
		define(s)
		if branch, ok := s.(*ast.IfStmt); ok && branch.Init != nil {
			define(branch.Init)
		}
	}
	for c := range stmt.Enclosing((*ast.RangeStmt)(nil)) {
		if loop := c.Node().(*ast.RangeStmt); loop.Body == body {
			switch info.TypeOf(loop.X).Underlying().(type) {
			case *types.Chan, *types.Signature:
				all = append(all, variables(info, loop.Key, loop.Value)...)
			}
		}
	}
	return all
}

// variables returns those that expressions define or assign.
func variables(info *types.Info, exprs ...ast.Expr) []*types.Var {
	var all []*types.Var
	for _, e := range exprs {
		if id, ok := e.(*ast.Ident); ok {
			if v, ok := info.ObjectOf(id).(*types.Var); ok && v.Name() != "_" {
				all = append(all, v)
			}
		}
	}
	return all
}

// kept reports whether body lets v live on after the iteration.
func kept(info *types.Info, body *ast.BlockStmt, deferred ast.Node, v *types.Var) bool {
	found := false
	mentions := func(nodes ...ast.Node) {
		for _, n := range nodes {
			ast.Inspect(n, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr: // its result is another value
					return false
				case *ast.Ident:
					found = found || info.Uses[n] == v
				}
				return !found
			})
		}
	}
	captures := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && info.Uses[id] == v
			return !found
		})
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "append" {
				for _, arg := range n.Args {
					mentions(arg)
				}
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				mentions(e)
			}
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN {
				for _, e := range n.Rhs {
					mentions(e)
				}
			}
		case *ast.SendStmt:
			mentions(n.Value)
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				mentions(e)
			}
		case *ast.GoStmt, *ast.FuncLit:
			captures(n)
			return false
		}
		return n != deferred && !found
	})
	return found
}
