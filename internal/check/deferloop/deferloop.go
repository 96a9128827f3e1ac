// Package deferloop finds deferred calls that pile up in a loop.
package deferloop

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report defer in a loop without a constant bound

A deferred call runs when the function returns, not at the end of the iteration.
In a loop the calls pile up: each keeps its arguments alive, files stay open,
locks stay held, and the record of each call is allocated.

	for _, name := range names {
		f, err := os.Open(name)
		...
		defer f.Close()
	}

The check looks for values that each iteration gets from a call and no longer needs at
its end: nothing appends, stores, sends or captures them. It follows the control flow,
and is silent where the defer is reached at most once, because return, break or panic
follows it on every path, and where the loop's count is a constant. Tests are left
out: they keep what they open until they end. There is no fix: the body becomes a
function, whose result only the author knows.`

// Analyzer finds defer statements in loops without a constant bound.
var Analyzer = &analysis.Analyzer{
	Name:     "deferloop",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, ctrlflow.Analyzer, rewrite.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	graphs := pass.ResultOf[ctrlflow.Analyzer].(*ctrlflow.CFGs)
	root := rewrite.Files(pass)
	for c := range root.Preorder((*ast.DeferStmt)(nil)) {
		if strings.HasSuffix(pass.Fset.Position(c.Node().Pos()).Filename, "_test.go") {
			continue
		}
		graph := graphOf(graphs, rewrite.Function(c).Node())
		if graph == nil || !repeats(graph, c.Node()) || bounded(rewrite.Of(pass), c) || !releases(pass.TypesInfo, c) {
			continue
		}
		pass.ReportRangef(c.Node(), "defer in a loop: the calls pile up until the function returns")
	}
	return nil, nil
}

func graphOf(graphs *ctrlflow.CFGs, fn ast.Node) *cfg.CFG {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return graphs.FuncDecl(fn)
	case *ast.FuncLit:
		return graphs.FuncLit(fn)
	}
	return nil
}

// repeats reports whether control can flow from a statement back to it.
func repeats(graph *cfg.CFG, stmt ast.Node) bool {
	var home *cfg.Block
	for _, b := range graph.Blocks {
		for _, n := range b.Nodes {
			if n == stmt {
				home = b
			}
		}
	}
	if home == nil || !home.Live {
		return false
	}
	seen := map[*cfg.Block]bool{}
	queue := []*cfg.Block{home}
	for len(queue) > 0 {
		b := queue[0]
		queue = queue[1:]
		for _, next := range b.Succs {
			if next == home {
				return true
			}
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}

// bounded reports whether the loops around c, up to its function, all run a
// constant number of times. A loop that goto makes is not bounded.
func bounded(source *rewrite.Source, c inspector.Cursor) bool {
	fn := rewrite.Function(c).Node()
	loops := 0
	for loop := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		if loop.Node() == fn {
			break
		}
		loops++
		count, ok := source.CountOf(loop)
		if ok && count.Max < 0 && count.Len {
			if literal(source, loop, count.Over) {
				continue
			}
		}
		if !ok || count.Max < 0 {
			return false
		}
	}
	return loops > 0
}

// literal reports whether a loop ranges over a composite literal, or over a
// local variable that holds one, or a part of it, and nothing else.
func literal(source *rewrite.Source, loop inspector.Cursor, over ast.Expr) bool {
	info := source.Info
	if _, ok := ast.Unparen(over).(*ast.CompositeLit); ok {
		return true
	}
	fn := rewrite.Function(loop)
	v := rewrite.Variable(info, over)
	if !source.Local(fn, v) {
		return false
	}
	found := 0
	for c := range fn.Preorder((*ast.AssignStmt)(nil)) {
		assign := c.Node().(*ast.AssignStmt)
		for i, left := range assign.Lhs {
			if rewrite.Variable(info, left) != v {
				continue
			}
			if len(assign.Lhs) != len(assign.Rhs) {
				return false
			}
			switch value := assign.Rhs[i].(type) {
			case *ast.CompositeLit:
				found++
			case *ast.SliceExpr:
				if rewrite.Variable(info, value.X) != v {
					return false
				}
			default:
				return false
			}
		}
	}
	return found == 1
}
