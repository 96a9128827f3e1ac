package arenas

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// opens returns an arena that the function begins and puts into a field of the value
// that it returns, if that value has a method which frees it.
func (f *function) opens() *types.Var {
	if len(f.zeroed) != 1 || closer(f, f.zeroed[0].Type()) == nil {
		return nil
	}
	for c := range f.cursor.Preorder((*ast.AssignStmt)(nil)) {
		assign := c.Node().(*ast.AssignStmt)
		if len(assign.Lhs) != 1 {
			continue
		}
		call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		v := rewrite.Variable(f.info, assign.Lhs[0])
		if !ok || !begins(f.info, call) || !f.arenas[v] || f.ending[v] {
			continue
		}
		handing := f.handsOn(v)
		if len(handing) != 1 {
			continue
		}
		if field := f.fieldAt(handing[0]); f.known.fixed[field] && declares(f.zeroed[0].Type(), field) {
			return v
		}
	}
	return nil
}

// closes reports whether a method frees the arena in a field of its receiver.
func (f *function) closes() bool {
	decl, ok := f.cursor.Node().(*ast.FuncDecl)
	if !ok || decl.Recv == nil {
		return false
	}
	for v := range f.placed {
		if f.ending[v] && f.endsAlways(v) {
			return true
		}
	}
	return false
}

// closer returns the method of a type that frees its arena, nil if there is none or
// the type can be used by several goroutines.
func closer(f *function, t types.Type) *types.Func {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	if s, ok := named.Underlying().(*types.Struct); ok {
		for v := range s.Fields() {
			if of, ok := types.Unalias(v.Type()).(*types.Named); ok && of.Obj().Pkg() != nil && of.Obj().Pkg().Path() == "sync" {
				return nil
			}
		}
	}
	for m := range named.Methods() {
		b := new(behaviour)
		if f.pass.ImportObjectFact(m.Origin(), b) && b.Closes {
			return m
		}
	}
	return nil
}

// declares reports whether a struct, or the struct that a pointer leads to, has a
// field.
func declares(t types.Type, field *types.Var) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for v := range s.Fields() {
		if v.Origin() == field {
			return true
		}
	}
	return false
}

// findOwners follows the variables that hold an arena of their own.
func (f *function) findOwners() {
	for c := range f.cursor.Preorder((*ast.AssignStmt)(nil)) {
		assign := c.Node().(*ast.AssignStmt)
		if len(assign.Lhs) != 1 || rewrite.Function(c).Node() != f.cursor.Node() {
			continue
		}
		if call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr); ok && f.begins(call) && !begins(f.info, call) {
			if v := rewrite.Variable(f.info, assign.Lhs[0]); v != nil && v.Kind() == types.LocalVar && f.followed(v) {
				f.owners[v] = append([]string{}, f.behaviour(call).Inside...)
			}
		}
	}
}

// begins reports whether a call begins an arena that its caller has to free, or
// returns a value that holds one.
func (f *function) begins(call *ast.CallExpr) bool {
	if begins(f.info, call) {
		return true
	}
	b := f.behaviour(call)
	return b != nil && b.Opens
}

// used reports whether a mention of an owner leaves it to the function: it is a
// method call or a field other than the arena.
func (f *function) used(c inspector.Cursor) bool {
	switch p := c.Parent().Node().(type) {
	case *ast.SelectorExpr:
		if _, method := f.info.Uses[p.Sel].(*types.Func); !method {
			return !isArena(f.info.TypeOf(p))
		}
		call, ok := c.Parent().Parent().Node().(*ast.CallExpr)
		if !ok || call.Fun != p || spawned(c) {
			return false
		}
		b := f.behaviour(call)
		return b != nil && b.Closes || f.staysWith(call, map[ast.Node]bool{})
	case *ast.BinaryExpr:
		return true
	case *ast.AssignStmt:
		return assigned(c)
	}
	return false
}

// owns reports whether a variable holds an arena of its own.
func (f *function) owns(v *types.Var) bool { return f.owners[v] != nil }
