package arenas

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// leaks reports the arenas that the function begins and does not free on some path.
func (f *function) leaks() {
	if decl, ok := f.cursor.Node().(*ast.FuncDecl); ok && decl.Name.Name == "main" && decl.Recv == nil && f.pass.Pkg.Name() == "main" {
		return // the process ends
	}
	for _, b := range f.graph.Blocks {
		for i, n := range b.Nodes {
			assign, ok := n.(*ast.AssignStmt)
			if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
				continue
			}
			call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
			v := rewrite.Variable(f.info, assign.Lhs[0])
			if !ok || !f.begins(call) || !f.arenas[v] && !f.owns(v) {
				continue
			}
			f.handing = f.handsOn(v)
			if f.onError = len(f.handing) > 0 && f.lends(v) == (loan{OK: true}); f.onError {
				f.handing = f.holders(f.handing)
			} else if len(f.handing) > 0 && (f.ending[v] || f.handing[0].Node().Pos() < n.Pos()) {
				continue // the path alone does not decide who frees it
			}
			if left := f.leaves(v, freed, b, i+1, map[*cfg.Block]bool{}); left != nil {
				what, free := "the arena "+v.Name(), "Free"
				if f.owns(v) {
					what, free = "the arena of "+v.Name(), closer(f, v.Type()).Name()
				}
				f.report(Leak, v, call, fmt.Sprintf("%s is not freed on the path that ends at line %d; defer %s.%s()", what, f.pass.Fset.Position(left.Pos()).Line, v.Name(), free))
			}
		}
	}
}

// leaves returns the end of a path from a place in a block on which nothing ends the
// arena by least, or nil if there is none. Paths that panic, exit the process or find
// the arena nil do not count. Without an arena, it returns the end of any path.
func (f *function) leaves(v *types.Var, least end, b *cfg.Block, from int, seen map[*cfg.Block]bool) ast.Node {
	if v != nil {
		for _, n := range b.Nodes[from:] {
			if f.endsIn(n, v, least) || f.handsOnIn(n) {
				return nil
			}
			if f.assigns(n, v) {
				return n // the only reference is overwritten
			}
		}
	}
	if r := b.Return(); r != nil {
		if f.onError && !f.fails(r) {
			return nil
		}
		return r
	}
	for _, next := range b.Succs {
		if seen[next] || f.whereNil(b, v) == next {
			continue
		}
		seen[next] = true
		if n := f.leaves(v, least, next, 0, seen); n != nil {
			return n
		}
	}
	return nil
}

// endsIn reports whether a statement ends the arena by least, at once or deferred.
func (f *function) endsIn(n ast.Node, v *types.Var, least end) (found bool) {
	deferred, _ := n.(*ast.DeferStmt)
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return deferred != nil && deferred.Call.Fun == n
		case *ast.CallExpr:
			w, e := f.ends(n)
			found = found || w == v && e >= least
		}
		return !found
	})
	return found
}

// assigns reports whether a statement gives a variable another value.
func (f *function) assigns(n ast.Node, v *types.Var) bool {
	assign, ok := n.(*ast.AssignStmt)
	return ok && slices.ContainsFunc(assign.Lhs, func(l ast.Expr) bool { return rewrite.Variable(f.info, l) == v })
}

// whereNil returns the successor of a block that runs if v is nil, if the block ends
// with that comparison.
func (f *function) whereNil(b *cfg.Block, v *types.Var) *cfg.Block {
	if v == nil || len(b.Succs) != 2 || len(b.Nodes) == 0 {
		return nil
	}
	cond, ok := b.Nodes[len(b.Nodes)-1].(*ast.BinaryExpr)
	if !ok || rewrite.Variable(f.info, cond.X) != v || !f.info.Types[cond.Y].IsNil() {
		return nil
	}
	switch cond.Op {
	case token.EQL:
		return b.Succs[0]
	case token.NEQ:
		return b.Succs[1]
	}
	return nil
}

// endsAlways reports whether the function frees a parameter on every path.
func (f *function) endsAlways(p *types.Var) bool {
	return f.leaves(p, freed, f.graph.Blocks[0], 0, map[*cfg.Block]bool{}) == nil
}

// handsOn are the mentions of an arena, or of an owner of one, by which something
// else may free it or keep it: it is returned, stored, sent, captured, or passed to a
// function that may do so.
func (f *function) handsOn(v *types.Var) (all []inspector.Cursor) {
	for _, c := range f.mentions(v) {
		if f.info.Uses[c.Node().(*ast.Ident)] != v {
			continue
		}
		if within := rewrite.Function(c); within.Node() != f.cursor.Node() && !deferred(within) || f.owns(v) && !f.used(c) || !f.owns(v) && !f.borrowed(c) {
			all = append(all, c)
		}
	}
	return all
}

// handsOnIn reports whether a statement hands on the arena that leaks examines.
func (f *function) handsOnIn(n ast.Node) bool {
	return slices.ContainsFunc(f.handing, func(m inspector.Cursor) bool { return inside(n, m.Node().Pos()) })
}

// borrowed reports whether a mention of an arena is a use that leaves it to the
// function.
func (f *function) borrowed(c inspector.Cursor) bool {
	switch p := c.Parent().Node().(type) {
	case *ast.ParenExpr:
		return f.borrowed(c.Parent())
	case *ast.BinaryExpr:
		return true
	case *ast.SelectorExpr: // a method, which is called here or handed on as a value
		call, ok := c.Parent().Parent().Node().(*ast.CallExpr)
		return ok && call.Fun == p
	case *ast.AssignStmt:
		for _, l := range p.Lhs {
			if l == c.Node() {
				return true
			}
		}
		return false
	case *ast.CallExpr:
		if p.Fun == c.Node() {
			return false
		}
		if _, ok := api(f.info, p); ok {
			return true
		}
		b := f.behaviour(p)
		if b == nil {
			return false
		}
		for i, arg := range f.arguments(p) {
			if arg == c.Node() && (i >= len(b.Borrows) || !b.Borrows[i] && !b.Ends[i]) {
				return false
			}
		}
		return true
	}
	return false
}
