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
	// Shared reports that it is made once, or is of a package's variable.
	Shared bool
	// Timer reports that it is the channel of a time.Timer, Ticker of a time.Ticker, and
	// Signals that it gets signals of the operating system.
	Timer, Ticker, Signals bool
	// Done reports that its elements say nothing or the time: it ends something.
	Done bool
	// Closed and Received are the lines that do so first, zero where none is known.
	Closed, Received, Sent Place
	// Receivers are all lines that receive from it.
	Receivers []Place
	// Missed are paths on which the function that makes the channel leaves without receiving
	// from it or, of a channel that is received from, without closing it.
	Missed []Path
	// Kept are paths on which a function that sends to the channel, as to a semaphore, does
	// not receive from it again, or the other way round for a pool of values.
	Kept []Path
}

// ChannelAt returns the channel that a line of a profile sends to, receives from or
// ranges over; false where the source does not show it.
func (p *Program) ChannelAt(symbol, file string, line int, send bool) (Channel, bool) {
	if p == nil {
		return Channel{}, false
	}
	f := p.at(symbol, file, line)
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
	done, timed := doneChannel(f.pkg.Info, at)
	c := Channel{
		Name: types.ExprString(at), Done: done || timed,
		Timer: channelOwner(f.pkg.Info, at) == Timer.Type, Ticker: channelOwner(f.pkg.Info, at) == Ticker.Type,
		Signals: elementOf(f.pkg.Info, at) == "os.Signal",
	}
	if object := objectOf(f.pkg.Info, at); object != nil {
		c = p.channel(c, object, send)
	}
	return c, true
}

// ReceivedIn reports whether the function at a line of a profile receives from a channel,
// and whether no other function does.
func (p *Program) ReceivedIn(c Channel, symbol, file string, line int) (received, only bool) {
	if p == nil {
		return false, false
	}
	f := p.at(symbol, file, line)
	if f == nil {
		return false, false
	}
	name := p.fset.Position(f.node.Pos()).Filename
	first, last := f.lines()
	only = true
	for _, r := range c.Receivers {
		if r.File == name && first <= r.Line && r.Line <= last {
			received = true
		} else {
			only = false
		}
	}
	return received, received && only
}

// channel adds to a channel what the program does with it.
func (p *Program) channel(c Channel, object types.Object, send bool) Channel {
	names := p.aliases(object)
	for _, g := range p.functions {
		p.channelIn(g, names, send, &c)
		c.Kept = append(c.Kept, g.kept(names, send)...)
	}
	for o := range names {
		v, ok := o.(*types.Var)
		c.Shared = c.Shared || ok && v.Parent() != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
	}
	return c
}

// aliases returns a channel's variable with those that take its value: parameters,
// fields and other variables, as far as the program's source shows it.
func (p *Program) aliases(object types.Object) map[types.Object]bool {
	all := map[types.Object]bool{object: true}
	join := func(a, b types.Object) bool {
		if a == nil || b == nil || all[a] == all[b] {
			return false
		}
		all[a], all[b] = true, true
		return true
	}
	for more := true; more; {
		more = false
		for _, f := range p.functions {
			of := func(e ast.Expr) types.Object { return channelOf(f, e) }
			f.each(func(n ast.Node) {
				switch n := n.(type) {
				case *ast.CallExpr:
					if callee := p.callee(f, n); callee != nil {
						for i, a := range n.Args {
							more = join(of(a), paramOf(callee, i)) || more
						}
					}
					if lit, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok {
						for i, a := range n.Args {
							more = join(of(a), paramOf(&function{pkg: f.pkg, kind: lit.Type}, i)) || more
						}
					}
				case *ast.AssignStmt:
					if len(n.Lhs) == len(n.Rhs) {
						for i := range n.Lhs {
							more = join(of(n.Lhs[i]), of(n.Rhs[i])) || more
						}
					}
				case *ast.KeyValueExpr:
					if id, ok := n.Key.(*ast.Ident); ok {
						if field, ok := f.pkg.Info.Uses[id].(*types.Var); ok {
							more = join(field.Origin(), of(n.Value)) || more
						}
					}
				}
			})
		}
	}
	return all
}

// channelOf returns the variable or field of a channel; nil for other expressions.
func channelOf(f *function, e ast.Expr) types.Object {
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
	default:
		return nil
	}
	t := f.pkg.Info.TypeOf(e)
	if t == nil {
		return nil
	}
	if _, ok := t.Underlying().(*types.Chan); !ok {
		return nil
	}
	return objectOf(f.pkg.Info, e)
}

// channelIn adds what a function does with a channel.
func (p *Program) channelIn(f *function, names map[types.Object]bool, send bool, c *Channel) {
	// A channel has several names: the variable, and the fields and parameters to which it
	// is assigned.
	is := func(e ast.Expr) bool { return names[objectOf(f.pkg.Info, e)] }
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
				if !send && !f.isDeferred(n) && names[paramObject(f, objectOf(f.pkg.Info, n.Args[0]))] {
					// The function closes what it is given, but not on each path.
					closes := func(m ast.Node) bool { return closesAny(f, m, names) }
					c.Missed = append(c.Missed, f.missedFromStart(closes, c.Name)...)
				}
			}
		case *ast.SendStmt:
			if is(n.Chan) {
				first(&c.Sent, n)
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && is(n.X) {
				first(&c.Received, n)
				c.Receivers = append(c.Receivers, f.place(n, ""))
			}
		case *ast.RangeStmt:
			if is(n.X) {
				first(&c.Received, n)
				c.Receivers = append(c.Receivers, f.place(n, ""))
			}
		case *ast.KeyValueExpr: // &queue{in: make(chan T)}
			if id, ok := n.Key.(*ast.Ident); ok && names[f.pkg.Info.Uses[id]] {
				if size, ok := f.makesChannel(n.Value); ok {
					c.Made, c.Buffered = f.place(n.Value, types.ExprString(n.Value)), size
					c.Shared = c.Shared || f.atStart(n)
				}
			}
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				if is(e) && i < len(n.Rhs) {
					if size, ok := f.makesChannel(n.Rhs[i]); ok {
						c.Made, c.Buffered = f.place(n.Rhs[i], types.ExprString(n.Rhs[i])), size
						c.Shared = c.Shared || f.atStart(n)
						c.Missed = append(c.Missed, f.leaves(n, objectOf(f.pkg.Info, e), send)...)
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
func (f *function) leaves(made ast.Node, object types.Object, send bool) []Path {
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

// isGo reports whether a go statement makes a call.
func isGo(f *function, c *ast.CallExpr) bool {
	found := false
	f.each(func(n ast.Node) {
		if g, ok := n.(*ast.GoStmt); ok && g.Call == c {
			found = true
		}
	})
	return found
}

// isDeferred reports whether a call is within a defer statement of the function.
func (f *function) isDeferred(c ast.Node) bool {
	found := false
	f.each(func(n ast.Node) {
		if d, ok := n.(*ast.DeferStmt); ok {
			found = found || contains(d, c)
		}
	})
	return found
}

// paramObject returns a variable that is a parameter of the function; nil for others.
func paramObject(f *function, o types.Object) types.Object {
	for _, field := range f.kind.Params.List {
		for _, name := range field.Names {
			if o != nil && f.pkg.Info.Defs[name] == o {
				return o
			}
		}
	}
	return nil
}

// closesAny reports whether a node closes one of the channels.
func closesAny(f *function, n ast.Node, names map[types.Object]bool) bool {
	found := false
	calls(n, func(c *ast.CallExpr) {
		id, ok := c.Fun.(*ast.Ident)
		found = found || ok && id.Name == "close" && len(c.Args) == 1 && names[objectOf(f.pkg.Info, c.Args[0])]
	})
	return found
}

// kept returns the paths from a send to the end of a function that receives from the same
// channel elsewhere, without that; for receivers the other way round.
func (f *function) kept(names map[types.Object]bool, send bool) []Path {
	sends := func(n ast.Node) bool {
		s, ok := n.(*ast.SendStmt)
		return ok && names[objectOf(f.pkg.Info, s.Chan)]
	}
	receives := func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		return ok && u.Op == token.ARROW && names[objectOf(f.pkg.Info, u.X)]
	}
	takes, gives := sends, receives
	if !send {
		takes, gives = receives, sends
	}
	within := func(n ast.Node, is func(ast.Node) bool) bool {
		found := false
		ast.Inspect(n, func(n ast.Node) bool {
			found = found || n != nil && is(n)
			return !found
		})
		return found
	}
	if !within(f.body, gives) {
		return nil
	}
	var all []Path
	f.each(func(n ast.Node) {
		if takes(n) {
			all = append(all, f.missed(walk{from: n, ends: func(n ast.Node) bool { return within(n, gives) }}, "")...)
		}
	})
	return all
}
