package release

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// Value is a kind of value that whoever gets it from a call has to release.
type Value struct {
	// Type is the value's, as package path and name, without a star: "database/sql.Rows".
	Type string
	// Callee is the function whose first result it is, where the type has no name.
	Callee string
	// Field is where the methods are called: "Body". "" is the value itself.
	Field string
	// Methods release it. None stands for the call of the value, a function.
	Methods []string
	// Drained is a method that has released it once it returns false.
	Drained string
}

// Values of the standard library.
var (
	Response = Value{Type: "net/http.Response", Field: "Body", Methods: []string{"Close"}}
	Rows     = Value{Type: "database/sql.Rows", Methods: []string{"Close"}, Drained: "Next"}
	Tx       = Value{Type: "database/sql.Tx", Methods: []string{"Commit", "Rollback"}}
	Conn     = Value{Type: "database/sql.Conn", Methods: []string{"Close"}}
	Stmt     = Value{Type: "database/sql.Stmt", Methods: []string{"Close"}}
	DB       = Value{Type: "database/sql.DB", Methods: []string{"Close"}}
	Ticker   = Value{Type: "time.Ticker", Methods: []string{"Stop"}}
	Timer    = Value{Type: "time.Timer", Methods: []string{"Stop"}}
	Cancel   = Value{Type: "context.CancelFunc"}
	Cause    = Value{Type: "context.CancelCauseFunc"}
	After    = Value{Callee: "context.AfterFunc"}
)

var known = []Value{Response, Rows, Tx, Conn, Stmt, DB, Ticker, Timer, Cancel, Cause}

// enders are the methods that end what a library's value has started, the usual first.
var enders = []string{"Close", "Stop", "Shutdown", "Cancel", "Unsubscribe", "Release", "Wait", "Disconnect",
	"StopAndWait", "GracefulStop"}

// Made is a call of the program that makes a value which has to be released.
type Made struct {
	Place
	Callee  string   // the name of types.Func: "(*net/http.Client).Get"
	Type    string   // Value.Type of what it makes
	Methods []string // methods that release it; empty where the type has none
	Missed  []Path   // paths without a release
	// Kept reports that the value is handed on, stored or returned, so that its end is
	// somewhere else; Dropped, that nothing is done with it.
	Kept, Dropped bool
	Start         bool // it is run once: by main or init, through calls that are in no loop
	// Of is what the method is called of, where that has the methods, and not a result.
	Of string
	// Fields are those that a literal sets.
	Fields []string
}

// Unreleased returns the calls that make a value of one of the kinds.
func (p *Program) Unreleased(kinds ...Value) []Made {
	return p.made(func(fn *types.Func, t types.Type) (Value, bool) {
		i := slices.IndexFunc(kinds, func(v Value) bool {
			return t != nil && (v.Type != "" && v.Type == nameOf(t) || v.Callee != "" && v.Callee == fn.FullName())
		})
		if i < 0 {
			return Value{}, false
		}
		return kinds[i], true
	})
}

// MadeBy returns the calls of functions for which match is true that return a value
// with a method that ends it, or, if any is set, whatever they return.
func (p *Program) MadeBy(match func(*types.Func) bool, any bool) []Made {
	return p.made(func(fn *types.Func, t types.Type) (Value, bool) {
		if !match(fn) {
			return Value{}, false
		}
		if i := slices.IndexFunc(known, func(v Value) bool { return v.Type == nameOf(t) }); i >= 0 && t != nil {
			return known[i], true
		}
		v := Value{Type: nameOf(t), Methods: endersOf(t)}
		return v, any && t == nil || len(v.Methods) > 0
	})
}

// handshake reports whether a result is the response beside a connection, which belongs to
// the connection: the answer to a WebSocket's handshake has no body to close.
func handshake(results []types.Type, i int) bool {
	return i > 0 && nameOf(results[i]) == Response.Type && len(endersOf(results[0])) > 0
}

func (p *Program) made(kind func(*types.Func, types.Type) (Value, bool)) []Made {
	if p == nil {
		return nil
	}
	var all []Made
	for _, f := range p.functions {
		f.each(func(n ast.Node) {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			fn, _ := typeutil.Callee(f.pkg.Info, c).(*types.Func)
			if fn == nil {
				return
			}
			own := p.declared[fn.Origin()]
			results := resultsOf(f.pkg.Info, c)
			for i, t := range results {
				if v, ok := kind(fn, t); ok && !p.releasesItself(own, v) && !handshake(results, i) {
					all = append(all, f.make(c, fn, i, v))
					return
				}
			}
			if v, ok := kind(fn, nil); ok && own == nil {
				all = append(all, f.make(c, fn, -1, v))
			}
		})
	}
	return all
}

// releasesItself reports whether a function of the program releases the value that it
// returns, at least on a path.
func (p *Program) releasesItself(own *function, v Value) bool {
	if own == nil {
		return false
	}
	return own.body == nil || len(v.Methods) == 0 || p.mentions(own, own.body, 1, func(_ *function, n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		return ok && slices.Contains(v.Methods, sel.Sel.Name)
	})
}

// make looks where the nth result of a call goes.
func (f *function) make(c *ast.CallExpr, fn *types.Func, nth int, v Value) Made {
	m := Made{Place: f.place(c, types.ExprString(c.Fun)), Callee: fn.FullName(), Type: v.Type,
		Methods: v.Methods, Start: f.atStart(c)}
	value, err, stored := f.assigned(c, nth)
	if nth < 0 { // what the method is called of has the end
		sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
		if !ok || fn.Signature().Recv() == nil {
			return m
		}
		m.Of = types.ExprString(sel.X)
		m.Methods = endersOf(f.pkg.Info.TypeOf(sel.X))
		v.Methods = m.Methods
		value, err = objectOf(f.pkg.Info, sel.X), nil
		if id, ok := sel.X.(*ast.Ident); !ok || f.pkg.Info.Uses[id] != value || value == nil || !f.local(value) ||
			len(m.Methods) == 0 {
			m.Kept = true
			return m
		}
		stored = false
	}
	switch {
	case stored:
		m.Kept = true
	case value == nil:
		m.Dropped = true
	default:
		u := user{f, value, v}
		if f.deferredBefore(c, u) {
			return m
		}
		m.Missed = f.missed(walk{
			from:   c,
			ends:   func(n ast.Node) bool { return u.ends(n) || f.overwrites(n, value, c) },
			none:   func(cond ast.Expr, is bool) bool { return u.none(cond, is, err) },
			spoils: func(n ast.Node) bool { return err != nil && f.overwrites(n, err, c) },
		}, m.Text)
		m.Kept = len(m.Missed) == 0 && u.kept()
	}
	return m
}

// deferredBefore reports whether a defer statement above a call releases the value.
func (f *function) deferredBefore(c ast.Node, u user) bool {
	found := false
	f.each(func(n ast.Node) {
		if d, ok := n.(*ast.DeferStmt); ok && d.Pos() < c.Pos() {
			found = found || u.best(d) == released
		}
	})
	return found
}

// assigned returns the variables that take the nth result of a call and its error.
// stored is set where it goes elsewhere than into a variable of the function.
func (f *function) assigned(c *ast.CallExpr, nth int) (value, err types.Object, stored bool) {
	found := false
	take := func(lhs []ast.Expr) {
		found = true
		if nth >= len(lhs) || nth < 0 {
			return
		}
		for i, e := range lhs {
			id, ok := e.(*ast.Ident)
			if !ok {
				stored = stored || i == nth
				continue
			}
			object := cmpObject(f.pkg.Info.Defs[id], f.pkg.Info.Uses[id])
			switch {
			case object == nil, id.Name == "_":
			case i == nth && !f.local(object):
				stored = true
			case i == nth:
				value = object
			case types.Identical(object.Type(), types.Universe.Lookup("error").Type()):
				err = object
			}
		}
	}
	f.each(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Rhs) == 1 && ast.Unparen(n.Rhs[0]) == ast.Expr(c) {
				take(n.Lhs)
			} else if i := slices.Index(n.Rhs, ast.Expr(c)); i >= 0 && i < len(n.Lhs) {
				take(n.Lhs[i : i+1])
			}
		case *ast.ValueSpec:
			if len(n.Values) == 1 && ast.Unparen(n.Values[0]) == ast.Expr(c) {
				var lhs []ast.Expr
				for _, id := range n.Names {
					lhs = append(lhs, id)
				}
				take(lhs)
			}
		case *ast.ExprStmt:
			found = found || ast.Unparen(n.X) == ast.Expr(c)
		}
	})
	return value, err, stored || !found // an argument, an operand, a result
}

// local reports whether a variable is of the function, and not captured or a result.
func (f *function) local(o types.Object) bool {
	return o.Pos() >= f.body.Pos() && o.Pos() < f.body.End()
}

// overwrites reports whether a node assigns another value to a variable.
func (f *function) overwrites(n ast.Node, o types.Object, except ast.Node) bool {
	a, ok := n.(*ast.AssignStmt)
	return ok && !contains(a, except) && slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && f.pkg.Info.Uses[id] == o
	})
}

// resultsOf returns the types of a call's results.
func resultsOf(info *types.Info, c *ast.CallExpr) []types.Type {
	switch t := info.TypeOf(c).(type) {
	case nil:
		return nil
	case *types.Tuple:
		var all []types.Type
		for v := range t.Variables() {
			all = append(all, v.Type())
		}
		return all
	default:
		return []types.Type{t}
	}
}

// nameOf returns a named type as package path and name, without a star.
func nameOf(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// endersOf returns the methods of a type that end what it has started.
func endersOf(t types.Type) []string {
	var all []string
	if t == nil || nameOf(t) == "" {
		return nil
	}
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		if name := methods.At(i).Obj().Name(); slices.Contains(enders, name) {
			all = append(all, name)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return slices.Index(enders, a) - slices.Index(enders, b) })
	return all
}

// releasing reports whether a function of another module releases its argument, by its
// name.
func releasing(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"close", "drain", "release", "cleanup", "discard"},
		func(part string) bool { return strings.Contains(name, part) })
}
