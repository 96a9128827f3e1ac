package arenas

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// declaration returns the declaration of the function that a call names, if it is in
// the package.
func (f *function) declaration(call *ast.CallExpr) (inspector.Cursor, bool) {
	fn := typeutil.StaticCallee(f.info, call)
	if fn == nil {
		return inspector.Cursor{}, false
	}
	c, ok := f.known.declared[fn.Origin()]
	return c, ok
}

// staysWith reports whether a method only uses its receiver: neither it nor a method
// that it calls frees the receiver's arena, keeps the receiver or hands it on.
func (f *function) staysWith(call *ast.CallExpr, seen map[ast.Node]bool) bool {
	c, ok := f.declaration(call)
	if !ok {
		return false
	}
	decl := c.Node().(*ast.FuncDecl)
	if seen[decl] || decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 {
		return true
	}
	seen[decl] = true
	receiver := f.info.Defs[decl.Recv.List[0].Names[0]]
	for id := range c.Preorder((*ast.Ident)(nil)) {
		if f.info.Uses[id.Node().(*ast.Ident)] != receiver {
			continue
		}
		sel, ok := id.Parent().Node().(*ast.SelectorExpr)
		if !ok || rewrite.Function(id).Node() != decl {
			return false
		}
		if isArena(f.info.TypeOf(sel)) {
			if !f.borrowed(id.Parent()) || freesAt(id.Parent()) {
				return false
			}
		} else if _, method := f.info.Uses[sel.Sel].(*types.Func); method {
			call, ok := id.Parent().Parent().Node().(*ast.CallExpr)
			if !ok || call.Fun != sel || spawned(id) || !f.staysWith(call, seen) {
				return false
			}
		}
	}
	return true
}

// spawned reports whether c is in a go statement.
func spawned(c inspector.Cursor) bool {
	for range c.Enclosing((*ast.GoStmt)(nil)) {
		return true
	}
	return false
}

// replaces reports whether a call other than but may overwrite a place behind a
// variable before the arena of the old value ends.
func (f *function) replaces(root *types.Var, but *ast.CallExpr) bool {
	for c := range f.cursor.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		if _, ok := api(f.info, call); ok || call == but || f.info.Types[call.Fun].IsType() || f.info.Types[call.Fun].IsBuiltin() {
			continue
		}
		for i, arg := range f.arguments(call) {
			if p, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && p.Op == token.AND {
				arg = p.X
			}
			if rewrite.Root(f.info, arg) == root && reference(f.info.TypeOf(arg)) && f.setsBehind(call, i) {
				return true
			}
		}
	}
	return false
}

// setsBehind reports whether a call may assign a place behind an argument.
// A call that keeps arena memory there does not count: it is a fault itself.
func (f *function) setsBehind(call *ast.CallExpr, i int) bool {
	c, ok := f.declaration(call)
	if !ok {
		return true
	}
	if b := f.behaviour(call); b != nil && slices.ContainsFunc(b.Keeps, func(k keep) bool { return k.In == i }) {
		return false
	}
	params := f.parametersOf(c.Node())
	if i >= len(params) || len(params) < len(f.arguments(call)) {
		return true // a parameter has no name, or is variadic
	}
	g := &function{info: f.info, cursor: c}
	return g.sets(params[i])
}

// setsGlobals reports whether a call other than but may overwrite a package-level
// variable before the arena of the old value ends.
func (f *function) setsGlobals(but *ast.CallExpr) bool {
	keeper := typeutil.StaticCallee(f.info, but).Pkg()
	for c := range f.cursor.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		fn := typeutil.StaticCallee(f.info, call)
		if fn == nil || call == but || fn.Pkg() != keeper {
			continue
		}
		if b := f.behaviour(call); b != nil && slices.ContainsFunc(b.Keeps, func(k keep) bool { return k.In < 0 }) {
			continue
		}
		decl, ok := f.declaration(call)
		if !ok {
			return true
		}
		for assign := range decl.Preorder((*ast.AssignStmt)(nil)) {
			for _, l := range assign.Node().(*ast.AssignStmt).Lhs {
				if root := rewrite.Root(f.info, l); root != nil && global(root) {
					return true
				}
			}
		}
	}
	return false
}
