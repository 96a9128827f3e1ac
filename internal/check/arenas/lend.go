package arenas

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// A loan describes how a function hands on a parameter that is an arena.
type loan struct {
	OK bool   // it is put only into fields that nothing frees
	In uint64 // of new values, and of these parameters
}

// lends describes how the function hands on an arena.
func (f *function) lends(v *types.Var) loan {
	all := loan{OK: true}
	for _, m := range f.handsOn(v) {
		l := f.lendsAt(m)
		all.OK, all.In = all.OK && l.OK, all.In|l.In
	}
	return all
}

// lendsAt describes the mention of an arena in its statement.
func (f *function) lendsAt(c inspector.Cursor) loan {
	if f.body != nil && rewrite.Function(c).Node() != f.cursor.Node() {
		return loan{}
	}
	switch p := c.Parent().Node().(type) {
	case *ast.KeyValueExpr, *ast.CompositeLit:
		return loan{OK: f.known.lent[f.fieldAt(c)]}
	case *ast.AssignStmt:
		if !f.known.lent[f.fieldAt(c)] {
			return loan{}
		}
		return f.into(p.Lhs[slices.Index(p.Rhs, c.Node().(ast.Expr))].(*ast.SelectorExpr).X)
	case *ast.CallExpr:
		b, args := f.behaviour(p), f.arguments(p)
		i := slices.Index(args, c.Node().(ast.Expr))
		if b == nil || i < 0 || i >= len(b.Lends) || !b.Lends[i].OK {
			return loan{}
		}
		all := loan{OK: true}
		for k, arg := range args {
			if k < 64 && b.Lends[i].In&(1<<k) != 0 {
				l := f.into(arg)
				all.OK, all.In = all.OK && l.OK, all.In|l.In
			}
		}
		return all
	}
	return loan{}
}

// fieldAt returns the field that gets the value at c, nil if it is none.
func (f *function) fieldAt(c inspector.Cursor) *types.Var {
	switch p := c.Parent().Node().(type) {
	case *ast.KeyValueExpr:
		if key, ok := p.Key.(*ast.Ident); ok && p.Value == c.Node() {
			return fieldOf(f.info.Uses[key])
		}
	case *ast.CompositeLit:
		t := f.info.TypeOf(p)
		if q, ok := t.Underlying().(*types.Pointer); ok {
			t = q.Elem()
		}
		if s, ok := t.Underlying().(*types.Struct); ok {
			return fieldOf(s.Field(slices.Index(p.Elts, c.Node().(ast.Expr))))
		}
	case *ast.AssignStmt:
		if i := slices.Index(p.Rhs, c.Node().(ast.Expr)); i >= 0 && len(p.Lhs) == len(p.Rhs) {
			if sel, ok := p.Lhs[i].(*ast.SelectorExpr); ok {
				return fieldOf(f.info.Uses[sel.Sel])
			}
		}
	}
	return nil
}

func fieldOf(obj types.Object) *types.Var {
	v, ok := obj.(*types.Var)
	if !ok || !v.IsField() {
		return nil
	}
	return v.Origin()
}

// into is the loan to the value of an expression.
func (f *function) into(e ast.Expr) loan {
	e = ast.Unparen(e)
	if p, ok := e.(*ast.UnaryExpr); ok {
		e = p.X
	}
	switch e := e.(type) {
	case *ast.CallExpr, *ast.CompositeLit:
		return loan{OK: true}
	case *ast.Ident:
		v := rewrite.Variable(f.info, e)
		if i := slices.Index(f.params, v); i >= 0 && i < 64 {
			return loan{OK: true, In: 1 << i}
		}
		return loan{OK: v != nil && v.Kind() == types.LocalVar}
	}
	return loan{}
}

// holders are the mentions of values that may hold an arena after the calls which it
// is lent to.
func (f *function) holders(lent []inspector.Cursor) (all []inspector.Cursor) {
	values := map[*types.Var]bool{}
	for _, c := range lent {
		call, isCall := c.Parent().Node().(*ast.CallExpr)
		switch p := c.Parent().Parent().Node().(type) {
		case *ast.ExprStmt:
		case *ast.AssignStmt:
			for _, l := range p.Lhs {
				if v := rewrite.Variable(f.info, l); v != nil && !isError(v.Type()) {
					values[v] = true
				}
			}
			if !isCall || p.Rhs[0] != ast.Expr(call) {
				all = append(all, c)
			}
		default:
			all = append(all, c)
		}
	}
	for c := range f.cursor.Preorder((*ast.Ident)(nil)) {
		v, ok := f.info.Uses[c.Node().(*ast.Ident)].(*types.Var)
		_, compared := c.Parent().Node().(*ast.BinaryExpr)
		if ok && values[v] && !compared && !assigned(c) {
			all = append(all, c)
		}
	}
	return all
}

// fails reports whether a return has an error, and otherwise only nil and constants.
func (f *function) fails(r *ast.ReturnStmt) bool {
	failed := false
	for _, e := range r.Results {
		tv := f.info.Types[e]
		switch {
		case tv.IsNil() || tv.Value != nil:
		case len(r.Results) == len(f.zeroed) && isError(f.zeroed[slices.Index(r.Results, e)].Type()):
			failed = true
		default:
			return false
		}
	}
	return failed
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}
