package source

import (
	"go/ast"
	"go/types"
)

// box notes the conversion of a value to an interface if it needs memory: not
// for constants, which are read-only data, nor for values that fit the interface's
// one word, pointers and their like.
func (w *walker) box(e ast.Expr, target types.Type) {
	tv, ok := w.info.Types[e]
	if !ok || tv.Type == nil || tv.Value != nil || tv.IsNil() || !tv.IsValue() || target == nil {
		return
	}
	if !types.IsInterface(target) || types.IsInterface(tv.Type) || isTypeParam(target) || isTypeParam(tv.Type) ||
		pointerShaped(tv.Type) {
		return
	}
	w.add(e.Pos(), Allocation{Kind: Boxing, Text: w.text(e), Type: w.name(tv.Type)})
}

func isTypeParam(t types.Type) bool {
	_, ok := t.(*types.TypeParam)
	return ok
}

// pointerShaped reports whether a value is one pointer, or nothing at all.
func pointerShaped(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer || u.Kind() == types.Bool || u.Kind() == types.Byte ||
			u.Kind() == types.Int8
	case *types.Struct:
		return u.NumFields() == 0 || u.NumFields() == 1 && pointerShaped(u.Field(0).Type())
	case *types.Array:
		return u.Len() == 0 || u.Len() == 1 && pointerShaped(u.Elem())
	}
	return false
}

func (w *walker) boxArguments(n *ast.CallExpr, sig *types.Signature) {
	params := sig.Params()
	for i, arg := range n.Args {
		var t types.Type
		switch last := params.Len() - 1; {
		case sig.Variadic() && i >= last && !n.Ellipsis.IsValid():
			if s, ok := params.At(last).Type().Underlying().(*types.Slice); ok {
				t = s.Elem()
			}
		case i <= last:
			t = params.At(i).Type()
		}
		w.box(arg, t)
	}
}

func (w *walker) boxElements(n *ast.CompositeLit, elem types.Type) {
	for _, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		w.box(e, elem)
	}
}

func (w *walker) boxFields(n *ast.CompositeLit, s *types.Struct) {
	for i, e := range n.Elts {
		kv, named := e.(*ast.KeyValueExpr)
		if !named {
			if i < s.NumFields() {
				w.box(e, s.Field(i).Type())
			}
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok {
			if f, ok := w.info.Uses[key].(*types.Var); ok {
				w.box(kv.Value, f.Type())
			}
		}
	}
}

func (w *walker) returns(n *ast.ReturnStmt) {
	var results *types.Tuple
	for i := len(w.stack) - 1; i >= 0 && results == nil; i-- {
		switch f := w.stack[i].(type) {
		case *ast.FuncDecl:
			if sig, ok := underlying(objectType(w.info.Defs[f.Name])).(*types.Signature); ok {
				results = sig.Results()
			}
			i = 0
		case *ast.FuncLit:
			if sig, ok := underlying(w.typeOf(f)).(*types.Signature); ok {
				results = sig.Results()
			}
			i = 0
		}
	}
	if results == nil || len(n.Results) != results.Len() {
		return
	}
	for i, r := range n.Results {
		w.box(r, results.At(i).Type())
	}
}

func objectType(o types.Object) types.Type {
	if o == nil {
		return nil
	}
	return o.Type()
}
