package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// guard is a condition on a counter that the package keeps itself, and the statements under it.
type guard struct {
	cond     ast.Expr
	counter  types.Object
	from, to token.Pos
	calls    []types.Object // functions of the package that the statements call
}

// counts are the amounts that a package adds to its counters, such as b.size of used += b.size.
type counts map[types.Object][]ast.Expr

// findCounts notes the amounts that a file adds to variables and fields.
func (w *walker) findCounts(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ADD_ASSIGN {
			if o := w.object(a.Lhs[0]); o != nil && isNumber(o.Type()) {
				w.counts[o] = append(w.counts[o], a.Rhs[0])
			}
		}
		return true
	})
}

// findGuards notes the loops and branches of a file that depend on a counter, the outer ones first.
func (w *walker) findGuards(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			w.guard(n.Cond, n.Body)
		case *ast.IfStmt:
			w.guard(n.Cond, n.Body)
		}
		return true
	})
}

func (w *walker) guard(cond ast.Expr, body *ast.BlockStmt) {
	c, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return
	}
	if c.Op == token.LAND || c.Op == token.LOR {
		w.guard(c.X, body)
		w.guard(c.Y, body)
		return
	}
	if c.Op != token.GTR && c.Op != token.GEQ && c.Op != token.LSS && c.Op != token.LEQ {
		return
	}
	for _, x := range []ast.Expr{c.X, c.Y} {
		o := w.object(x)
		if o == nil || w.counts[o] == nil {
			continue
		}
		g := guard{cond: c, counter: o, from: body.Pos(), to: body.End()}
		ast.Inspect(body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if fn, ok := w.object(call.Fun).(*types.Func); ok && fn.Pkg() == w.pkg {
					g.calls = append(g.calls, fn.Origin())
				}
			}
			return true
		})
		w.guards = append(w.guards, g)
	}
}

// bound returns the condition on a counter under which a statement is executed, and the place of a
// struct literal of the package that leaves the counted field at zero. The statement may stand in a
// function that is called under the condition.
func (w *walker) bound(at token.Pos) (cond string, uncounted Position) {
	var in types.Object
	for _, f := range w.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= at && at < fn.End() {
				in = w.info.Defs[fn.Name]
			}
		}
	}
	for _, g := range w.guards {
		under := g.from <= at && at < g.to
		for _, fn := range g.calls {
			under = under || fn == in
		}
		if under {
			cond, uncounted = w.text(g.cond), w.uncounted(g.counter)
		}
	}
	return cond, uncounted
}

// uncounted finds a struct literal with named fields, but without the one that is added to a counter.
func (w *walker) uncounted(counter types.Object) (at Position) {
	for _, amount := range w.counts[counter] {
		sel, ok := ast.Unparen(amount).(*ast.SelectorExpr)
		if !ok {
			continue
		}
		field, ok := w.object(sel).(*types.Var)
		if !ok || !field.IsField() {
			continue
		}
		for _, f := range w.files {
			ast.Inspect(f, func(n ast.Node) bool {
				if lit, ok := n.(*ast.CompositeLit); ok && at.Line == 0 && w.leavesOut(lit, field) {
					at = w.position(lit.Pos())
				}
				return true
			})
		}
	}
	return at
}

// leavesOut reports whether a literal of the struct that has a field names other fields alone.
func (w *walker) leavesOut(lit *ast.CompositeLit, field *types.Var) bool {
	s, ok := underlying(w.typeOf(lit)).(*types.Struct)
	if !ok || len(lit.Elts) == 0 {
		return false
	}
	has := false
	for f := range s.Fields() {
		has = has || f.Origin() == field
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		if id, named := kv.Key.(*ast.Ident); !named || id.Name == field.Name() {
			return false
		}
	}
	return has
}
