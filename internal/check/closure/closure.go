// Package closure finds closures and method values that a loop makes again in
// each iteration, though one would do.
package closure

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/repeated"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report closures and method values that each iteration of a loop allocates again

A function literal that captures variables, and a method value, is an object on the
heap if the compiler cannot see that it does not outlive its use. In a loop each
iteration allocates another one, even if all of them are the same:

	for _, name := range names {
		walk(name, func(n int) { total += n })  // one closure for each name
		visit(name, v.visitName)                // and one method value
	}

Made before the loop, one serves all iterations. The check reports it where that is
possible: a literal captures no variable of an iteration, and the receiver of a method
value does not change in the loop. It reports only those that, according to the
compiler, escape to the heap, so it needs heapwright vet, and is silent under go vet
alone. It leaves out goroutines and deferred calls, which cost more than their
closures, branches that leave the loop, and tests. Where some iterations skip the
expression, it needs a profile in which the line costs something. The preconditions of
the fix:

  - the loop is a statement of its own on its line, in a function without goto, and the
    function has at most 24 lines;
  - the receiver of a method value is a variable of the function, or no pointer: another
    function could change it. To make the method value follows no pointer, which could be
    nil where the loop has no iterations, and needs no interface.`

// Analyzer finds closures and method values that a loop need not make again.
var Analyzer = &analysis.Analyzer{
	Name:     "closure",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, rewrite.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	h := &hoister{info: pass.TypesInfo, source: rewrite.Of(pass)}
	root := rewrite.Files(pass)
	for c := range root.Preorder((*ast.FuncLit)(nil), (*ast.SelectorExpr)(nil)) {
		expr := c.Node().(ast.Expr)
		end := expr.End()
		subject := "the closure captures nothing of the iteration"
		if sel, ok := expr.(*ast.SelectorExpr); ok {
			if s := pass.TypesInfo.Selections[sel]; s == nil || s.Kind() != types.MethodVal {
				continue
			}
			subject = "the method value is the same in each iteration"
		}
		if lit, ok := expr.(*ast.FuncLit); ok {
			end = lit.Type.End() // the body's lines cost apart from the closure
		}
		if called(c) || starts(pass.TypesInfo, c) {
			continue
		}
		loop, ok := repeated.Around(pass, c)
		if !ok || !same(rewrite.Of(pass), loop.Cursor, c) {
			continue
		}
		pass.Report(analysis.Diagnostic{
			Pos: repeated.Position(expr), End: end, Category: loop.Category,
			Message:        subject + ", and each allocates one: make it before the loop",
			SuggestedFixes: h.fix(loop.Cursor, c),
		})
	}
	return nil, nil
}

// called reports whether the function at c is called where it stands, which makes no
// object.
func called(c inspector.Cursor) bool {
	for c.ParentEdgeKind() == edge.ParenExpr_X {
		c = c.Parent()
	}
	return c.ParentEdgeKind() == edge.CallExpr_Fun
}

// starts reports whether the function at c becomes a goroutine, which costs far more
// than the closure.
func starts(info *types.Info, c inspector.Cursor) bool {
	if c.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	switch rewrite.Callee(info, c.Parent().Node().(*ast.CallExpr)) {
	case "(*sync.WaitGroup).Go", "(*golang.org/x/sync/errgroup.Group).Go",
		"(*golang.org/x/sync/errgroup.Group).TryGo", "time.AfterFunc":
		return true
	}
	return false
}

// same reports whether the function at c can be made once for all iterations.
func same(source *rewrite.Source, loop, c inspector.Cursor) bool {
	if sel, ok := c.Node().(*ast.SelectorExpr); ok {
		return fixed(source, loop, sel)
	}
	lit := c.Node().(*ast.FuncLit)
	captures := false
	for id := range c.Preorder((*ast.Ident)(nil)) {
		obj := source.Info.Uses[id.Node().(*ast.Ident)]
		if obj == nil || obj.Pkg() == nil || obj.Parent() == obj.Pkg().Scope() || within(lit, obj.Pos()) {
			continue
		}
		if within(loop.Node(), obj.Pos()) {
			return false // a variable, type or label of the iteration
		}
		if v, ok := obj.(*types.Var); ok && !v.IsField() {
			captures = true
		}
	}
	return captures
}

func within(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }
