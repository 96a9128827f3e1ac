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

// Select is what the source shows of a select statement.
type Select struct {
	// Done reports a case that receives from a context's Done or another channel whose
	// elements are structs without fields, and then leaves the loop; Timed one that receives
	// from a timer's.
	Done, Timed bool
	// Shared reports a case that receives from a channel that is made once: the goroutine is
	// one of many workers.
	Shared bool
}

// SelectAt returns the select statement in a line of a profile, and false where the
// source does not show it.
func (p *Program) SelectAt(symbol, file string, line int) (s Select, known bool) {
	if p == nil {
		return s, false
	}
	f := p.at(symbol, file, line)
	if f == nil {
		return s, false
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
				if c.Comm == nil {
					continue
				}
				ast.Inspect(c.Comm, func(n ast.Node) bool {
					u, ok := n.(*ast.UnaryExpr)
					if !ok || u.Op != token.ARROW {
						return true
					}
					done, timed := doneChannel(f.pkg.Info, u.X)
					s.Done = s.Done || done && (once || leaves(c))
					s.Timed = s.Timed || timed && (once || leaves(c))
					if object := objectOf(f.pkg.Info, u.X); object != nil && !done && !timed {
						s.Shared = s.Shared || p.channel(Channel{}, object, false).Shared
					}
					return true
				})
			}
		}
	})
	return s, known
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

// doneChannel reports whether an expression is a channel whose elements say nothing, or
// one of times.
func doneChannel(info *types.Info, e ast.Expr) (done, timed bool) {
	if t := info.TypeOf(e); t != nil {
		if c, ok := t.Underlying().(*types.Chan); ok {
			s, ok := c.Elem().Underlying().(*types.Struct)
			return ok && s.NumFields() == 0, nameOf(c.Elem()) == "time.Time"
		}
	}
	return false, false
}

// elementOf returns the name of the type of a channel's elements, "" if it has none.
func elementOf(info *types.Info, e ast.Expr) string {
	if t := info.TypeOf(e); t != nil {
		if c, ok := t.Underlying().(*types.Chan); ok {
			return nameOf(c.Elem())
		}
	}
	return ""
}

// channelOwner returns the name of the type whose field C an expression is, "" for any other.
func channelOwner(info *types.Info, e ast.Expr) string {
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && sel.Sel.Name == "C" {
		return nameOf(info.TypeOf(sel.X))
	}
	return ""
}
