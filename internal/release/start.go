package release

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// Started returns the go statements that start the function in which a line of a
// profile stands. Literals that are given to a function count where they are given.
func (p *Program) Started(symbol, file string, line int) []Place {
	if p == nil {
		return nil
	}
	f := p.at(symbol, file, line)
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
// ends the wait: one that receives from a context's Done or another channel whose elements
// are structs without fields, or from a timer's, and then leaves the loop.
func (p *Program) Ends(symbol, file string, line int) (ends, known bool) {
	if p == nil {
		return false, false
	}
	f := p.at(symbol, file, line)
	if f == nil {
		return false, false
	}
	var loops []ast.Node
	f.each(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loops = append(loops, n)
		case *ast.SelectStmt:
			if p.fset.Position(n.Pos()).Line > line || p.fset.Position(n.End()).Line < line {
				return
			}
			known = true
			once := !slices.ContainsFunc(loops, func(l ast.Node) bool { return contains(l, n) })
			for _, c := range n.Body.List {
				c := c.(*ast.CommClause)
				if c.Comm != nil && f.ofDone(c.Comm) && (once || leaves(c)) {
					ends = true
				}
			}
		}
	})
	return ends, known
}

// ofDone reports whether a statement receives from a channel that ends something.
func (f *function) ofDone(comm ast.Node) bool {
	found := false
	ast.Inspect(comm, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok {
			found = found || doneChannel(f.pkg.Info, u.X)
		}
		return true
	})
	return found
}

// leaves reports whether a case of a select statement leaves the loop around that.
func leaves(c *ast.CommClause) bool {
	found := false
	ast.Inspect(c, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Tok == token.GOTO || n.Tok == token.BREAK && n.Label != nil
		}
		return true
	})
	return found
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
