package poolput

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// returned reports a result that shares memory with a variable whose Put is
// deferred.
func (f *function) returned(result ast.Expr, s state) {
	for _, v := range f.contents(result) {
		for _, owner := range []*types.Var{s.owner(v), v} {
			if to, by := f.end(s, owner); to == deferred {
				f.report(result, owner, fmt.Sprintf("%s is returned, but the deferred %s gives its memory back to the pool", owner.Name(), by))
				break
			}
		}
	}
}

// bare reports results with a name that a return without operands hands on.
func (f *function) bare(n ast.Node, s state) {
	for v := range f.results.Variables() {
		if to, by := f.end(s, s.owner(v)); to != 0 {
			f.report(n, s.owner(v), fmt.Sprintf("%s is returned, but %s gives its memory back to the pool", v.Name(), by))
		}
	}
}

// left reports variables that outlive the function and hold memory that was put.
func (f *function) left(s state) {
	for _, v := range slices.SortedFunc(maps.Keys(f.outer), func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) }) {
		if to, by := f.end(s, s.owner(v)); to != 0 && s.owner(v) != v && f.usedLater(v) {
			f.report(f.outer[v], s.owner(v), fmt.Sprintf("%s outlives the function, but %s gives its memory back to the pool", v.Name(), by))
		}
	}
}

// usedLater reports whether a variable is mentioned below the function that assigns it.
func (f *function) usedLater(v *types.Var) bool {
	if v.Parent() == v.Pkg().Scope() {
		return true
	}
	found := false
	ast.Inspect(f.around, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Pos() > f.literal.End() && f.pass.TypesInfo.Uses[id] == v
		return !found
	})
	return found
}

// end returns the fate of a variable when the function returns, and the function that
// puts it. The deferred Put of a variable includes its fields.
func (f *function) end(s state, v *types.Var) (fate, string) {
	root := f.Root(v)
	if s.fate[v] != 0 || root == v || s.fate[root] != deferred || !f.Reused(v) || f.replacedLater(v) {
		return s.fate[v], f.by[v]
	}
	return deferred, f.by[root]
}

// uses reports the variables in n that were put before.
func (f *function) uses(n ast.Node, s state) {
	info := f.pass.TypesInfo
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // it may run at another time
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				x, y := f.Place(n.X), f.Place(n.Y)
				for _, v := range []*types.Var{x, y} {
					if x != nil && y != nil && s.fate[s.owner(v)] == gone { // Get may have given it again
						f.assign(s, v, nil)
					}
				}
				for _, side := range []ast.Expr{n.X, n.Y} {
					if !f.named(side, s) {
						f.uses(side, s)
					}
				}
				return false
			}
		case *ast.CallExpr:
			if f.retargets(n, s) {
				return false
			}
			if rewrite.IsBuiltin(info, n, "len") || rewrite.IsBuiltin(info, n, "cap") {
				return !f.named(n.Args[0], s)
			}
			for _, v := range f.PutMemory(n) {
				if s.fate[s.owner(v)] != 0 {
					f.report(n, s.owner(v), v.Name()+" is put into the pool twice")
					return false
				}
			}
		case *ast.Ident, *ast.SelectorExpr:
			v := f.Place(n.(ast.Expr))
			if v == nil {
				return true
			}
			owner := s.owner(v)
			switch {
			case f.Root(v) != v && s.fate[f.Root(v)] == gone: // the variable itself is reported
			case s.fate[v] == gone:
				f.report(n, v, fmt.Sprintf("%s is used after %s gave it back to the pool", v.Name(), f.by[v]))
			case s.fate[owner] == gone && !f.lazy[v]:
				f.report(n, owner, fmt.Sprintf("%s shares memory with %s, and is used after %s gave it back to the pool", v.Name(), owner.Name(), f.by[owner]))
			}
		}
		return true
	})
}

// named reports whether an expression is a variable, or a field that can be read: not
// one of a variable that was put.
func (f *function) named(e ast.Expr, s state) bool {
	v := f.Place(e)
	return v != nil && (f.Root(v) == v || s.fate[s.owner(f.Root(v))] != gone)
}

// retargets reports whether a call gives a reader other memory, as r.Reset(b) does
// where r shares memory with another variable.
func (f *function) retargets(call *ast.CallExpr, s state) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Reset" || len(call.Args) == 0 {
		return false
	}
	v := f.Place(sel.X)
	return v != nil && s.owner(v) != v
}

func (f *function) report(n ast.Node, v *types.Var, message string) {
	if f.speak && !f.reported[v] {
		f.reported[v] = true
		f.pass.ReportRangef(n, "%s", message)
	}
}
