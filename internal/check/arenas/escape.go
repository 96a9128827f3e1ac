package arenas

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// deferral is the certainty with which a deferred call ends an arena.
type deferral int

const (
	possible deferral = iota + 1 // a function literal does, maybe under a condition
	certain                      // the call itself frees it
)

// freedTwice reports a Free of an arena that a deferred call frees again.
func (f *function) freedTwice(v *types.Var, at ast.Node) {
	f.report(Use, v, at, fmt.Sprintf("the arena %s is freed here, and again by the deferred Free", f.named(v)))
}

// defers records the arenas that a deferred call frees.
func (f *function) defers(call *ast.CallExpr, s state) {
	if v, e := f.ends(call); e != none && (f.arenas[v] || f.owns(v)) {
		if e == freed && s.later[v] == certain {
			f.freedTwice(v, call)
		}
		if s.later[v] = possible; e == freed {
			s.later[v] = certain
		}
		return
	}
	lit, ok := call.Fun.(*ast.FuncLit)
	if !ok {
		return
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if v, e := f.ends(call); e != none && (f.arenas[v] || f.owns(v)) {
				s.later[v] = possible
			}
		}
		return true
	})
}

// returns reports memory that is returned although a deferred call frees its arena,
// and records the origin of the first result.
func (f *function) returns(n *ast.ReturnStmt, s state) {
	for i, result := range n.Results {
		o := f.origin(result, s)
		if o.arena != nil && s.later[o.arena] != 0 {
			f.report(Escape, n, result, fmt.Sprintf("memory of the arena %s is returned, but the deferred Free of %s ends it", f.named(o.arena), o.arena.Name()))
		}
		if i > 0 || !f.speak {
			continue
		}
		if o.hold == constant {
			continue // of no arena, and no use of it
		}
		o.mark = nil
		switch {
		case o.arena == nil || f.from.arena != nil && f.from != o:
			f.mixed = true
		default:
			f.from = o
		}
	}
}

// stores reports memory that is kept in a package-level variable, or behind a
// parameter, although the function ends its arena.
func (f *function) stores(left ast.Expr, o origin, s state) {
	root := rewrite.Root(f.info, left)
	if sel, ok := ast.Unparen(left).(*ast.SelectorExpr); ok && o.hold == memory && rewrite.Variable(f.info, sel.X) != nil && !slices.Contains(f.inside[o.arena], sel.Sel.Name) {
		f.inside[o.arena] = append(f.inside[o.arena], sel.Sel.Name)
	}
	if root == nil || o.arena == nil || s.from[root].arena == o.arena || root == o.arena || f.replaced(left) {
		return
	}
	f.keep(o.arena, root, through(f.info, left))
	if !f.endsAfter(o.arena, s) {
		return
	}
	where := ""
	switch {
	case root.Parent() == root.Pkg().Scope():
		where = "the package's variable " + root.Name()
	case f.placed[o.arena]:
		return // with the arena beside it, it is replaced together with it
	case f.outlives(root) && through(f.info, left):
		where = "what " + root.Name() + " refers to"
	default:
		return
	}
	f.report(Escape, left, left, fmt.Sprintf("memory of the arena %s is kept in %s, but %s ends in this function", o.arena.Name(), where, o.arena.Name()))
}

// endsAfter reports whether the function ends an arena on every path from the current
// place.
func (f *function) endsAfter(v *types.Var, s state) bool {
	switch {
	case v == nil || !f.speak:
		return false
	case s.later[v] != 0 || !f.ending[v]:
		return s.later[v] != 0
	}
	seen := map[*cfg.Block]bool{}
	returns := f.leaves(nil, none, f.block, f.index+1, seen) != nil // rather than looping for ever
	clear(seen)
	return returns && f.leaves(v, reset, f.block, f.index+1, seen) == nil
}

// through reports whether a place is reached by a pointer, a map or a slice.
func through(info *types.Info, e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if _, ok := info.TypeOf(x.X).Underlying().(*types.Pointer); ok {
				return true
			}
			e = x.X
		case *ast.IndexExpr:
			switch info.TypeOf(x.X).Underlying().(type) {
			case *types.Map, *types.Slice, *types.Pointer:
				return true
			}
			e = x.X
		case *ast.StarExpr:
			return true
		default:
			return false
		}
	}
}

// outlives reports whether a variable is a parameter, of the function or of one
// around it: it may refer to values of the caller.
func (f *function) outlives(v *types.Var) bool {
	return slices.Contains(f.params, v) || slices.Contains(f.outer, v)
}

// replaced reports whether the function overwrites a place elsewhere, which may be
// before the arena ends.
func (f *function) replaced(left ast.Expr) bool {
	n, text := 0, types.ExprString(left)
	for c := range f.cursor.Preorder((*ast.AssignStmt)(nil)) {
		for _, l := range c.Node().(*ast.AssignStmt).Lhs {
			if types.ExprString(l) == text {
				n++
			}
		}
	}
	for c := range f.cursor.Preorder((*ast.CallExpr)(nil)) {
		if call := c.Node().(*ast.CallExpr); rewrite.IsBuiltin(f.info, call, "delete") || rewrite.IsBuiltin(f.info, call, "clear") {
			n++
		}
	}
	return n > 1
}

// starts reports memory that a goroutine uses although the function ends its arena
// without waiting for anything.
func (f *function) starts(n *ast.GoStmt, s state) {
	if f.waits {
		return
	}
	ast.Inspect(n.Call, func(m ast.Node) bool {
		id, ok := m.(*ast.Ident)
		if !ok {
			return true
		}
		v := rewrite.Variable(f.info, id)
		if o := s.from[v]; f.endsAfter(o.arena, s) {
			f.report(Escape, n, id, fmt.Sprintf("a goroutine uses %s, memory of the arena %s, which ends in this function without waiting for it", v.Name(), o.arena.Name()))
		}
		return true
	})
}
