package release

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// Lock is a variable or field whose locks are taken.
type Lock struct {
	Name   string // "c.mu"
	object types.Object
}

// Same reports whether two locks are of one variable or field.
func (l *Lock) Same(o *Lock) bool { return l != nil && o != nil && l.object == o.object }

var unlocks = map[string]string{"Lock": "Unlock", "RLock": "RUnlock"}

// lockCall returns the lock of a call of one of the methods.
func lockCall(info *types.Info, c *ast.CallExpr, methods ...string) (*Lock, string) {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, ""
	}
	return lockOf(info, sel, methods...)
}

func lockOf(info *types.Info, sel *ast.SelectorExpr, methods ...string) (*Lock, string) {
	if !slices.Contains(methods, sel.Sel.Name) {
		return nil, ""
	}
	fn, _ := info.Uses[sel.Sel].(*types.Func)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
		return nil, ""
	}
	object := fieldOf(info, sel)
	if object == nil {
		return nil, ""
	}
	return &Lock{types.ExprString(sel.X), object}, sel.Sel.Name
}

// fieldOf returns the variable that a method is called of: an embedded field where the
// method is promoted.
func fieldOf(info *types.Info, sel *ast.SelectorExpr) types.Object {
	if s := info.Selections[sel]; s != nil && len(s.Index()) > 1 {
		t, object := s.Recv(), types.Object(nil)
		for _, i := range s.Index()[:len(s.Index())-1] {
			if p, ok := t.Underlying().(*types.Pointer); ok {
				t = p.Elem()
			}
			st, ok := t.Underlying().(*types.Struct)
			if !ok {
				return nil
			}
			object, t = st.Field(i), st.Field(i).Type()
		}
		return object
	}
	return objectOf(info, sel.X)
}

// objectOf returns the variable or field that an expression is of.
func objectOf(info *types.Info, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return cmpObject(info.Uses[e], info.Defs[e])
	case *ast.SelectorExpr:
		if v, ok := info.Uses[e.Sel].(*types.Var); ok {
			return v.Origin()
		}
	case *ast.IndexExpr:
		return objectOf(info, e.X)
	case *ast.StarExpr:
		return objectOf(info, e.X)
	case *ast.UnaryExpr:
		return objectOf(info, e.X)
	}
	return nil
}

func cmpObject(a, b types.Object) types.Object {
	if a != nil {
		return a
	}
	return b
}

// LockAt returns the lock that a line of a profile takes; nil where the source does
// not show it.
func (p *Program) LockAt(function, file string, line int) *Lock {
	if p == nil {
		return nil
	}
	f := p.at(function, file, line)
	if f == nil {
		return nil
	}
	var found *Lock
	calls(f.body, func(c *ast.CallExpr) {
		if p.fset.Position(c.Pos()).Line <= line && line <= p.fset.Position(c.End()).Line {
			if l, _ := lockCall(f.pkg.Info, c, "Lock", "RLock"); l != nil {
				found = l
			}
		}
	})
	return found
}

// MissedUnlocks returns the paths on which a lock stays locked when the function ends.
func (p *Program) MissedUnlocks(l *Lock) []Path {
	var all []Path
	if p.unlockedElsewhere(l) {
		return nil
	}
	for _, f := range p.functions {
		f.each(func(n ast.Node) {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			taken, method := lockCall(f.pkg.Info, c, "Lock", "RLock")
			if !taken.Same(l) || f.deferred(c) || f.unlockDeferred(c, l, unlocks[method]) {
				return
			}
			all = append(all, f.missed(walk{from: c, ends: func(n ast.Node) bool {
				return p.unlocks(f, n, l, unlocks[method])
			}}, types.ExprString(c.Fun))...)
		})
	}
	return all
}

// deferred reports whether a defer statement makes a call.
func (f *function) deferred(c *ast.CallExpr) bool {
	found := false
	f.each(func(n ast.Node) {
		if d, ok := n.(*ast.DeferStmt); ok && d.Call == c {
			found = true
		}
	})
	return found
}

// unlockDeferred reports whether a defer statement above a call unlocks the lock.
func (f *function) unlockDeferred(c *ast.CallExpr, l *Lock, method string) bool {
	found := false
	f.each(func(n ast.Node) {
		if d, ok := n.(*ast.DeferStmt); ok && d.Pos() < c.Pos() {
			found = found || f.program.unlocks(f, d, l, method)
		}
	})
	return found
}

// unlocks reports whether a node unlocks a lock: itself, in a literal, or by calling a
// function of the program that unlocks it and does not lock it.
func (p *Program) unlocks(f *function, n ast.Node, l *Lock, method string) bool {
	is := func(methods ...string) func(*function, ast.Node) bool {
		return func(f *function, n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return false
			}
			found, _ := lockOf(f.pkg.Info, sel, methods...)
			return found.Same(l)
		}
	}
	if p.mentions(f, n, maxCalls, is(method)) {
		return true
	}
	found := false
	calls(n, func(c *ast.CallExpr) {
		callee := p.callee(f, c)
		if callee != nil && callee.body != nil && !found {
			found = p.mentions(callee, callee.body, 1, is(method)) &&
				!p.mentions(callee, callee.body, maxCalls, is("Lock", "RLock"))
		}
	})
	return found
}

// Undeferred returns the calls that take a lock without a defer statement that
// releases it: a panic behind them leaves it locked.
func (p *Program) Undeferred(l *Lock) []Place {
	var all []Place
	for _, f := range p.functions {
		later := false
		var taken []Place
		f.each(func(n ast.Node) {
			switch n := n.(type) {
			case *ast.DeferStmt:
				later = later || p.unlocks(f, n, l, "Unlock") || p.unlocks(f, n, l, "RUnlock")
			case *ast.CallExpr:
				if t, _ := lockCall(f.pkg.Info, n, "Lock", "RLock"); t.Same(l) {
					taken = append(taken, f.place(n, types.ExprString(n.Fun)))
				}
			}
		})
		if !later {
			all = append(all, taken...)
		}
	}
	return all
}

// maxCalls is how deep mentions follows calls.
const maxCalls = 3

// mentions reports whether something is within a node, or within the functions of the
// program that the node calls.
func (p *Program) mentions(f *function, n ast.Node, depth int, is func(*function, ast.Node) bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil || found {
			return false
		}
		if found = is(f, n); found {
			return false
		}
		if c, ok := n.(*ast.CallExpr); ok && depth < maxCalls {
			if callee := p.callee(f, c); callee != nil && callee.body != nil {
				found = p.mentions(callee, callee.body, depth+1, is)
			}
		}
		return !found
	})
	return found
}

// callee returns the function of the program that a call runs; nil if it is another.
func (p *Program) callee(f *function, c *ast.CallExpr) *function {
	if fn := typeutil.StaticCallee(f.pkg.Info, c); fn != nil {
		return p.declared[fn.Origin()]
	}
	return nil
}

// unlockedElsewhere reports whether a function unlocks what it has not locked: then
// others may return with the lock held.
func (p *Program) unlockedElsewhere(l *Lock) bool {
	for _, f := range p.functions {
		if f.outer != nil {
			continue
		}
		locks, unlocked := false, false
		ast.Inspect(f.body, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				a, _ := lockOf(f.pkg.Info, sel, "Lock", "RLock", "TryLock", "TryRLock")
				b, _ := lockOf(f.pkg.Info, sel, "Unlock", "RUnlock")
				locks, unlocked = locks || a.Same(l), unlocked || b.Same(l)
			}
			return true
		})
		if unlocked && !locks {
			return true
		}
	}
	return false
}

// Holds returns where a lock was taken that a goroutine holds at a line, and false
// where none of the paths to the line shows it.
func (p *Program) Holds(l *Lock, symbol, file string, line int) (Place, bool) {
	var at Place
	if p == nil || l == nil {
		return at, false
	}
	f := p.at(symbol, file, line)
	if f == nil {
		return at, false
	}
	held := false
	f.each(func(n ast.Node) {
		c, ok := n.(*ast.CallExpr)
		if !ok || held {
			return
		}
		taken, method := lockCall(f.pkg.Info, c, "Lock", "RLock")
		if !taken.Same(l) || f.deferred(c) {
			return
		}
		released := func(n ast.Node) bool {
			_, later := n.(*ast.DeferStmt)
			return !later && p.unlocks(f, n, l, unlocks[method])
		}
		f.reach(walk{from: c, ends: released}, func(n ast.Node) bool {
			first, last := p.fset.Position(n.Pos()).Line, p.fset.Position(n.End()).Line
			if first <= line && line <= last && !contains(n, c) {
				held, at = true, f.place(c, types.ExprString(c.Fun))
			}
			return !held
		})
	})
	return at, held
}
