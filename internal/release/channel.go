package release

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Channel is what the source shows of a channel.
type Channel struct {
	Name     string
	Made     Place // the make, if the program's source has it; else the zero value
	Buffered bool
	// Closed and Received are the first lines that do so, the zero value where none is known.
	Closed, Received, Sent Place
	// Missed are paths on which the function that makes the channel leaves without receiving
	// from it or, of a channel that is received from, without closing it.
	Missed []Missed
}

// ChannelAt returns the channel that a line of a profile sends to, receives from or
// ranges over; false where the source does not show it.
func (p *Program) ChannelAt(symbol, file string, line int, send bool) (Channel, bool) {
	if p == nil {
		return Channel{}, false
	}
	f := p.at(p.local(symbol, file), line)
	if f == nil {
		return Channel{}, false
	}
	var at ast.Expr
	f.each(func(n ast.Node) {
		if p.fset.Position(n.Pos()).Line != line {
			return
		}
		switch n := n.(type) {
		case *ast.SendStmt:
			if send {
				at = n.Chan
			}
		case *ast.UnaryExpr:
			if !send && n.Op == token.ARROW {
				at = n.X
			}
		case *ast.RangeStmt:
			if t := f.pkg.Info.TypeOf(n.X); !send && t != nil {
				if _, ok := t.Underlying().(*types.Chan); ok {
					at = n.X
				}
			}
		}
	})
	if at == nil {
		return Channel{}, false
	}
	c := Channel{Name: types.ExprString(at)}
	object := objectOf(f.pkg.Info, at)
	if object == nil {
		return c, true
	}
	for _, g := range p.functions {
		p.channelIn(g, object, send, &c)
	}
	return c, true
}

// channelIn adds what a function does with a channel.
func (p *Program) channelIn(f *function, object types.Object, send bool, c *Channel) {
	is := func(e ast.Expr) bool { return objectOf(f.pkg.Info, e) == object }
	first := func(at *Place, n ast.Node) {
		if *at == (Place{}) {
			*at = f.place(n, "")
		}
	}
	f.each(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "close" && len(n.Args) == 1 && is(n.Args[0]) {
				first(&c.Closed, n)
			}
		case *ast.SendStmt:
			if is(n.Chan) {
				first(&c.Sent, n)
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && is(n.X) {
				first(&c.Received, n)
			}
		case *ast.RangeStmt:
			if is(n.X) {
				first(&c.Received, n)
			}
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				if is(e) && i < len(n.Rhs) {
					if size, ok := f.makesChannel(n.Rhs[i]); ok {
						c.Made, c.Buffered = f.place(n.Rhs[i], types.ExprString(n.Rhs[i])), size
						c.Missed = append(c.Missed, f.leaves(n, object, send)...)
					}
				}
			}
		}
	})
}

// makesChannel reports whether an expression makes a channel, and whether with a buffer.
func (f *function) makesChannel(e ast.Expr) (buffered, ok bool) {
	c, isCall := ast.Unparen(e).(*ast.CallExpr)
	if !isCall || len(c.Args) == 0 {
		return false, false
	}
	id, isName := c.Fun.(*ast.Ident)
	return len(c.Args) > 1, isName && id.Name == "make"
}

// leaves returns the paths from the make of a local channel out of its function on
// which nothing is received, or, of a receiver's channel, nothing is closed. Where the
// channel is handed on, others may do so.
func (f *function) leaves(made ast.Node, object types.Object, send bool) []Missed {
	if !f.local(object) {
		return nil
	}
	is := func(e ast.Expr) bool { return objectOf(f.pkg.Info, e) == object }
	name := object.Name()
	ends := func(n ast.Node) bool {
		found := false
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return !send // a literal sends; one that receives is seen elsewhere
			case *ast.UnaryExpr:
				found = found || send && n.Op == token.ARROW && is(n.X)
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "close" && len(n.Args) == 1 {
					found = found || is(n.Args[0])
					break
				}
				for _, a := range n.Args {
					found = found || is(a) && !isGo(f, n)
				}
			case *ast.ReturnStmt:
				for _, r := range n.Results {
					found = found || is(r)
				}
			case *ast.CompositeLit, *ast.AssignStmt:
				if n != made { // it is received from, or stored
					ast.Inspect(n, func(n ast.Node) bool {
						id, ok := n.(*ast.Ident)
						found = found || ok && f.pkg.Info.Uses[id] == object
						return true
					})
				}
			}
			return !found
		})
		return found
	}
	return f.missed(walk{from: made, ends: ends}, name)
}

// isGo reports whether a call is that of a go statement.
func isGo(f *function, c *ast.CallExpr) bool {
	found := false
	f.each(func(n ast.Node) {
		if g, ok := n.(*ast.GoStmt); ok && g.Call == c {
			found = true
		}
	})
	return found
}
