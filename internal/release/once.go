package release

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// maxCallers is how many calls out from a line main is looked for.
const maxCallers = 6

// atStart reports whether a node is run once: it is in no loop of its function, and main or
// init calls that once.
func (f *function) atStart(n ast.Node) bool { return f.once(n, 0) }

func (f *function) once(n ast.Node, depth int) bool {
	looped := false
	f.each(func(loop ast.Node) {
		switch loop.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			looped = looped || contains(loop, n)
		}
	})
	switch d := f.node.(type) {
	case *ast.FuncDecl:
		if looped || depth > maxCallers {
			return false
		}
		if d.Recv == nil && (d.Name.Name == "main" || d.Name.Name == "init") {
			return true
		}
		return f.calledOnce(depth)
	case *ast.FuncLit:
		return !looped && f.outer != nil && f.outer.runs(d) && f.outer.once(d, depth+1)
	}
	return false
}

// runs reports whether a literal is called where it stands, by go or defer too.
func (f *function) runs(lit *ast.FuncLit) bool {
	found := false
	f.each(func(n ast.Node) {
		if c, ok := n.(*ast.CallExpr); ok {
			found = found || ast.Unparen(c.Fun) == ast.Expr(lit)
		}
	})
	return found
}

// calledOnce reports whether one call runs a function, once, and nothing else refers to it.
func (f *function) calledOnce(depth int) bool {
	if f.object == nil {
		return false
	}
	calls, references := f.program.references(f.object)
	return len(calls) == 1 && references == 1 && calls[0].within != f && calls[0].within.once(calls[0].call, depth+1)
}

// reference is a call of a function of the program.
type reference struct {
	within *function
	call   *ast.CallExpr
}

// references returns the calls of a function and the number of places that name it.
func (p *Program) references(object *types.Func) ([]reference, int) {
	if p.called == nil {
		p.called, p.named = map[*types.Func][]reference{}, map[*types.Func]int{}
		for _, g := range p.functions {
			g.each(func(n ast.Node) {
				switch n := n.(type) {
				case *ast.CallExpr:
					if fn := typeutil.StaticCallee(g.pkg.Info, n); fn != nil {
						p.called[fn.Origin()] = append(p.called[fn.Origin()], reference{g, n})
					}
				case *ast.Ident:
					if fn, ok := g.pkg.Info.Uses[n].(*types.Func); ok {
						p.named[fn.Origin()]++
					}
				}
			})
		}
	}
	return p.called[object], p.named[object]
}
