package arenas

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// shares reports arenas that two goroutines use at once, if the syntax shows it: a
// loop starts goroutines with an arena from outside the loop, or a function uses an
// arena after it started a goroutine with it and before it waits.
func (f *function) shares() {
	for c := range f.cursor.Preorder((*ast.GoStmt)(nil), (*ast.CallExpr)(nil)) {
		if rewrite.Function(c).Node() != f.cursor.Node() {
			continue
		}
		started := goroutine(c.Node())
		if started == nil || f.excludes(started, false) {
			continue
		}
		for v := range f.mentioned(started) {
			if at := f.besides(c, v); at != nil && !f.excludes(started, true) {
				f.report(Share, v, at, fmt.Sprintf("the arena %s is used here while the goroutine that began in line %d may use it", f.named(v), f.pass.Fset.Position(c.Node().Pos()).Line))
			} else if f.repeated(c, v) {
				f.report(Share, v, c.Node(), fmt.Sprintf("each round of the loop starts a goroutine that uses the arena %s", f.named(v)))
			}
		}
	}
}

// named is how a message names an arena or an owner of one.
func (f *function) named(v *types.Var) string {
	if f.owns(v) {
		return "of " + v.Name()
	}
	return v.Name()
}

// goroutine returns the call that a go statement runs, or the function literal that
// a method named Go does, as of sync.WaitGroup and errgroup.Group.
func goroutine(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.GoStmt:
		return n.Call
	case *ast.CallExpr:
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" && len(n.Args) == 1 {
			if lit, ok := n.Args[0].(*ast.FuncLit); ok {
				return lit
			}
		}
	}
	return nil
}

// excludes reports whether a goroutine takes a lock or waits, so that its uses may
// have an order. A range over a channel gives an order with the sender, and none
// among the workers that receive from it.
func (f *function) excludes(started ast.Node, ranges bool) (found bool) {
	ast.Inspect(started, func(n ast.Node) bool {
		_, isRange := n.(*ast.RangeStmt)
		found = found || n != nil && (ranges || !isRange) && f.waitsAt(n)
		return !found
	})
	return found
}

// mentioned are the arenas that a goroutine is given or captures.
func (f *function) mentioned(started ast.Node) map[*types.Var]bool {
	all := map[*types.Var]bool{}
	ast.Inspect(started, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v := rewrite.Variable(f.info, id); v != nil && (f.arenas[v] && !f.placed[v] || f.owns(v)) {
				all[v] = true
			}
		}
		return true
	})
	return all
}

// besides returns the first use of an arena after the start of a goroutine, with no
// wait between them.
func (f *function) besides(c inspector.Cursor, v *types.Var) ast.Node {
	after, until := c.Node().End(), f.body.End()
	for n := range f.cursor.Preorder() {
		node := n.Node()
		if node.Pos() < after {
			continue
		}
		if f.waitsAt(node) || node.Pos() >= until {
			return nil
		}
		switch node := node.(type) {
		case *ast.ReturnStmt:
			if f.sameBlock(c, n) {
				until = node.End()
			}
		case *ast.Ident:
			if rewrite.Variable(f.info, node) != v {
				continue
			}
			if assigned(n) {
				return nil // the variable holds another arena from here on
			}
			if f.follows(c, n) {
				if rewrite.Function(n).Node() == f.cursor.Node() || goroutineAround(n) != nil {
					return node
				}
			}
		}
	}
	return nil
}

// goroutineAround returns the start of the goroutine that a node is in.
func goroutineAround(c inspector.Cursor) ast.Node {
	for p := range c.Enclosing((*ast.GoStmt)(nil), (*ast.CallExpr)(nil)) {
		if goroutine(p.Node()) != nil {
			return p.Node()
		}
	}
	return nil
}

// follows reports whether n, if it runs at all, runs after c: a block that holds the
// statement of c holds n as well.
func (f *function) follows(c, n inspector.Cursor) bool {
	for p := range c.Enclosing((*ast.BlockStmt)(nil), (*ast.CaseClause)(nil), (*ast.CommClause)(nil)) {
		return inside(p.Node(), n.Node().Pos())
	}
	return false
}

// sameBlock reports whether n stands in the innermost block around c.
func (f *function) sameBlock(c, n inspector.Cursor) bool {
	var of [2]ast.Node
	for i, x := range []inspector.Cursor{c, n} {
		for p := range x.Enclosing((*ast.BlockStmt)(nil), (*ast.CaseClause)(nil), (*ast.CommClause)(nil)) {
			of[i] = p.Node()
			break
		}
	}
	return of[0] == of[1]
}

// repeated reports whether a loop starts a goroutine with an arena from outside of
// the loop, and does not wait within it.
func (f *function) repeated(c inspector.Cursor, v *types.Var) bool {
	for p := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		if p.Node().Pos() < f.body.Pos() {
			return false
		}
		if inside(p.Node(), v.Pos()) {
			return false
		}
		for n := range p.Preorder() {
			if n.Node().Pos() >= c.Node().End() && f.waitsAt(n.Node()) {
				return false
			}
			if f.assigns(n.Node(), v) {
				return false // each round has an arena of its own
			}
			if _, leaves := n.Node().(*ast.ReturnStmt); leaves && f.sameBlock(c, n) {
				return false
			}
			if b, ok := n.Node().(*ast.BranchStmt); ok && b.Tok == token.BREAK && f.sameBlock(c, n) {
				return false
			}
		}
		return true
	}
	return false
}

// inside reports whether a position is in a node.
func inside(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }
