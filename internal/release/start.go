package release

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// Started returns the go statements that start the function in which a line of a
// profile stands. Literals that are given to a function count where they are given.
func (p *Program) Started(symbol, file string, line int) []Place {
	if p == nil {
		return nil
	}
	f := p.at(p.local(symbol, file), line)
	if f == nil {
		return nil
	}
	var all []Place
	for _, g := range p.functions {
		g.each(func(n ast.Node) {
			statement, ok := n.(*ast.GoStmt)
			if !ok {
				return
			}
			fn := typeutil.StaticCallee(g.pkg.Info, statement.Call)
			if ast.Unparen(statement.Call.Fun) == f.node || fn != nil && f.object != nil && fn.Origin() == f.object {
				all = append(all, g.place(statement, "go "+short(statement.Call.Fun)))
			}
		})
	}
	if lit, ok := f.node.(*ast.FuncLit); ok && len(all) == 0 {
		all = append(all, f.place(lit, ""))
	}
	return all
}

func short(e ast.Expr) string {
	if _, ok := ast.Unparen(e).(*ast.FuncLit); ok {
		return "func literal"
	}
	return types.ExprString(e)
}

// Ends reports whether the select statement in a line of a profile has a case that
// ends it: one that receives from a context's Done or another channel whose elements are
// structs without fields, or from a timer's.
func (p *Program) Ends(symbol, file string, line int) (ends, known bool) {
	if p == nil {
		return false, false
	}
	f := p.at(p.local(symbol, file), line)
	if f == nil {
		return false, false
	}
	f.each(func(n ast.Node) {
		s, ok := n.(*ast.SelectStmt)
		if !ok || p.fset.Position(s.Pos()).Line > line || p.fset.Position(s.End()).Line < line {
			return
		}
		known = true
		for _, c := range s.Body.List {
			if comm := c.(*ast.CommClause).Comm; comm != nil {
				ast.Inspect(comm, func(n ast.Node) bool {
					if u, ok := n.(*ast.UnaryExpr); ok {
						ends = ends || doneChannel(f.pkg.Info, u.X)
					}
					return true
				})
			}
		}
	})
	return ends, known
}

func doneChannel(info *types.Info, e ast.Expr) bool {
	if t := info.TypeOf(e); t != nil {
		if c, ok := t.Underlying().(*types.Chan); ok {
			s, ok := c.Elem().Underlying().(*types.Struct)
			return ok && (s.NumFields() == 0 || nameOf(c.Elem()) == "time.Time")
		}
	}
	return false
}
