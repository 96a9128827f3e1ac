package poolput

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// renew forgets the state of a variable and of all places that are reached from it.
func (f *function) renew(s state, v *types.Var) {
	f.assign(s, v, nil)
	if f.fields {
		f.forget(s, func(p *types.Var) bool { return p != v && f.Root(p) == v })
	}
}

// forget forgets the state of the variables for which lost is true.
func (f *function) forget(s state, lost func(*types.Var) bool) {
	all := map[*types.Var]bool{}
	for v := range s.fate {
		all[v] = true
	}
	for v, owner := range s.of {
		all[v], all[owner] = true, true
	}
	for v := range all {
		if lost(v) {
			f.assign(s, v, nil)
		}
	}
}

// assigned reports the uses in an operand that is assigned. The operand itself is
// none.
func (f *function) assigned(left ast.Expr, s state) {
	switch left := ast.Unparen(left).(type) {
	case *ast.Ident:
	case *ast.SelectorExpr:
		f.uses(left.X, s)
	default:
		f.uses(left, s)
	}
}

// overwritten forgets the places that an assignment to left may change: through
// another variable, and the fields of a struct.
func (f *function) overwritten(left ast.Expr, s state) {
	fields := map[*types.Var]bool{}
	f.writers.fields(left, fields)
	if len(fields) > 0 {
		own := f.Place(left)
		f.forget(s, func(p *types.Var) bool { return p != own && f.reaches(p, fields) })
	}
}

// reaches reports whether a place is reached through one of the fields.
func (f *function) reaches(p *types.Var, fields map[*types.Var]bool) bool {
	for _, field := range f.Fields(p) {
		if fields[field] {
			return true
		}
	}
	return false
}

// calls forgets the places that a call in n may change, and captured variables where
// another goroutine may assign them. A deferred call runs later.
func (f *function) calls(n ast.Node, s state) {
	if _, later := n.(*ast.DeferStmt); later || len(s.fate)+len(s.of) == 0 {
		return
	}
	waits := f.synchronizes(n)
	if !waits && !f.fields {
		return
	}
	f.forget(s, func(v *types.Var) bool {
		if f.Root(v) == v {
			return !within(v, f.literal) && waits
		}
		return f.mayRenew(n, v)
	})
}

// mayRenew reports whether a call in n may give a place another value: it may run a
// function that assigns such a field, or wait for another goroutine.
func (f *function) mayRenew(n ast.Node, p *types.Var) bool {
	if f.synchronizes(n) {
		return true
	}
	info := f.pass.TypesInfo
	root := f.Root(p)
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found || info.Types[call.Fun].IsType() || info.Types[call.Fun].IsBuiltin() {
			return !found
		}
		switch fn := typeutil.StaticCallee(info, call); {
		case fn != nil && fn.FullName() == "(*sync.Pool).Put":
		case fn != nil && fn.Pkg() == f.pass.Pkg:
			found = f.writers.reach(fn.Origin(), f.Fields(p))
		case fn == nil || f.hands(call, root):
			found = f.writers.anywhere(f.Fields(p), f.decl)
		default:
			field := f.Fields(p)[len(f.Fields(p))-1]
			found = field.Pkg() != f.pass.Pkg && field.Pkg() == fn.Pkg()
		}
		return !found
	})
	return found
}

// replacedLater reports whether a deferred call gives a place another value.
func (f *function) replacedLater(p *types.Var) bool {
	found := false
	ast.Inspect(f.literal, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			fields := map[*types.Var]bool{}
			f.writers.assigned(d, fields)
			found = found || f.reaches(p, fields) || f.mayRenew(d.Call, p)
		}
		return !found
	})
	return found
}

// hands reports whether a call gets the variable itself, rather than a field of it,
// or gets a function that may have captured it.
func (f *function) hands(call *ast.CallExpr, v *types.Var) bool {
	found := false
	ast.Inspect(call, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = true
		case *ast.UnaryExpr: // &x.f
			if p := f.Place(n.X); p != nil && f.Root(p) == v {
				found = true
			}
		case *ast.SelectorExpr:
			if s := f.pass.TypesInfo.Selections[n]; s != nil && s.Kind() == types.FieldVal && f.Place(n.X) == v {
				return false
			}
		case *ast.Ident:
			found = found || f.pass.TypesInfo.Uses[n] == v
		}
		return !found
	})
	return found
}
