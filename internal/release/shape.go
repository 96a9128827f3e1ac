package release

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Literals returns the composite literals of a type, by package path and name, and the
// calls of its method Clone.
func (p *Program) Literals(name string) []Made {
	if p == nil {
		return nil
	}
	var all []Made
	for _, f := range p.functions {
		f.each(func(n ast.Node) {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if t := f.pkg.Info.TypeOf(n); t != nil && nameOf(t) == name {
					m := Made{Place: f.place(n, types.ExprString(n.Type)+"{}"), Start: f.atStart(n)}
					for _, e := range n.Elts {
						if kv, ok := e.(*ast.KeyValueExpr); ok {
							m.Fields = append(m.Fields, lastName(kv.Key))
						}
					}
					all = append(all, m)
				}
			case *ast.CallExpr:
				if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok &&
					sel.Sel.Name == "Clone" && len(n.Args) == 0 {
					if t := f.pkg.Info.TypeOf(n); t != nil && nameOf(t) == name {
						all = append(all, Made{Place: f.place(n, types.ExprString(n.Fun)), Start: f.atStart(n)})
					}
				}
			}
		})
	}
	return all
}

// CallsNear reports whether the function at a line of a profile, or one of its callers, calls a
// function or method with one of the given names.
func (p *Program) CallsNear(symbol, file string, line int, names ...string) bool {
	if p == nil {
		return false
	}
	at := p.at(symbol, file, line)
	if at == nil {
		return false
	}
	for at.outer != nil {
		at = at.outer
	}
	near := []*function{at}
	for _, f := range p.functions {
		if at.object != nil && f.calls(at.object.Name()) {
			near = append(near, f)
		}
	}
	for _, f := range p.functions { // function literals are among them
		for outer := f; outer != nil; outer = outer.outer {
			if slices.Contains(near, outer) && f.calls(names...) {
				return true
			}
		}
	}
	return false
}

// calls reports whether a function calls a function or method with one of the given names.
func (f *function) calls(names ...string) (found bool) {
	f.each(func(n ast.Node) {
		c, ok := n.(*ast.CallExpr)
		found = found || ok && slices.Contains(names, lastName(c.Fun))
	})
	return found
}

// Endless reports whether a line of a profile is in a loop without a condition that
// nothing leaves: no return and no break.
func (p *Program) Endless(symbol, file string, line int) bool {
	if p == nil {
		return false
	}
	f := p.at(symbol, file, line)
	if f == nil {
		return false
	}
	endless := false
	f.each(func(n ast.Node) {
		loop, ok := n.(ast.Stmt)
		if !ok || p.fset.Position(n.Pos()).Line > line || p.fset.Position(n.End()).Line < line {
			return
		}
		var body *ast.BlockStmt
		switch loop := loop.(type) {
		case *ast.ForStmt:
			if loop.Cond != nil {
				return
			}
			body = loop.Body
		case *ast.RangeStmt:
			if t := f.pkg.Info.TypeOf(loop.X); t == nil {
				return
			} else if _, channel := t.Underlying().(*types.Chan); !channel {
				return
			}
			body = loop.Body
		default:
			return
		}
		left := false
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				left = true
			case *ast.BranchStmt:
				left = left || n.Tok == token.BREAK && n.Label != nil || n.Tok == token.GOTO
			}
			return true
		})
		endless = endless || !left && !breaks(body)
	})
	return endless
}

// breaks reports whether a plain break leaves the loop of a body.
func breaks(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK
		}
		return true
	})
	return found
}

// Looped reports whether a line of a profile is in a loop without a condition, or in one over a
// channel. Then the goroutine does the same again and again.
func (p *Program) Looped(symbol, file string, line int) bool {
	if p == nil {
		return false
	}
	f := p.at(symbol, file, line)
	if f == nil {
		return false
	}
	found := false
	f.each(func(n ast.Node) {
		if p.fset.Position(n.Pos()).Line > line || p.fset.Position(n.End()).Line < line {
			return
		}
		switch n := n.(type) {
		case *ast.ForStmt:
			found = found || n.Cond == nil
		case *ast.RangeStmt:
			if t := f.pkg.Info.TypeOf(n.X); t != nil {
				_, channel := t.Underlying().(*types.Chan)
				found = found || channel
			}
		}
	})
	return found
}
