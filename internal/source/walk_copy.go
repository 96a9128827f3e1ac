package source

import (
	"go/ast"
	"go/types"
	"runtime"
)

// largeValue is the size in bytes from which on copying a value may be worth a pointer: above
// 128 bytes the compiler copies in a loop or by a call.
const largeValue = 129

// sizes are the ones of this machine. On the profiled one, pointers may be shorter.
var sizes = types.SizesFor("gc", runtime.GOARCH)

// large returns the size of a type whose values are large, or 0. Types with parameters have
// no size.
func large(t types.Type) int64 {
	if t == nil || sizes == nil || !sized(t) {
		return 0
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		if size := sizes.Sizeof(t); size >= largeValue {
			return size
		}
	}
	return 0
}

// sized reports whether the size of a type is known: it does not depend on type parameters,
// and all of its parts are known.
func sized(t types.Type) bool {
	if _, ok := t.(*types.TypeParam); ok {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid
	case *types.Array:
		return sized(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if !sized(f.Type()) {
				return false
			}
		}
	}
	return true
}

// rangeCopy notes a loop that copies each element to its variable.
func (w *walker) rangeCopy(n *ast.RangeStmt) {
	id, ok := n.Value.(*ast.Ident)
	if !ok || id.Name == "_" {
		return
	}
	var t types.Type
	if v := w.object(id); v != nil {
		t = v.Type()
	}
	if size := large(t); size > 0 {
		of := w.text(n.X)
		w.add(n.Pos(), Allocation{Kind: Copy, Text: "for … " + id.Name + " := range " + of, Type: w.name(t), Target: of, Size: size})
	}
}

// callCopies notes the receiver and the arguments that a call copies.
func (w *walker) callCopies(n *ast.CallExpr, sig *types.Signature) {
	note := func(e ast.Expr, t types.Type) {
		size := large(t)
		switch ast.Unparen(e).(type) {
		case *ast.CompositeLit, *ast.CallExpr:
			return // made for the call
		}
		if size > 0 {
			w.add(n.Lparen, Allocation{
				Kind:   Copy,
				Text:   w.text(n.Fun) + "(…)",
				Type:   w.name(t),
				Target: w.text(e),
				Size:   size,
			})
		}
	}
	if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && w.info.Selections[s] != nil {
		if fn, ok := w.info.Selections[s].Obj().(*types.Func); ok {
			note(s.X, fn.Signature().Recv().Type())
		}
	}
	for i := range min(len(n.Args), sig.Params().Len()) {
		if !sig.Variadic() || i < sig.Params().Len()-1 {
			note(n.Args[i], sig.Params().At(i).Type())
		}
	}
}
