package price

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// boxes reports whether an expression's value becomes an interface there, which copies it
// to the heap: constants and values that are one pointer, or nothing, do not need that.
func boxes(info *types.Info, c inspector.Cursor) bool {
	tv := info.Types[c.Node().(ast.Expr)]
	if !tv.IsValue() || tv.Value != nil || tv.IsNil() || types.IsInterface(tv.Type) || onePointer(tv.Type) {
		return false
	}
	to := wanted(info, c)
	return to != nil && types.IsInterface(to)
}

// onePointer reports whether a value is a pointer or nothing, as far as its type says so.
func onePointer(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		return u.NumFields() == 0
	}
	return false
}

// hasPointers reports whether the memory of a value holds pointers.
func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Array:
		return hasPointers(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hasPointers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// wanted returns the type that the place of an expression asks for, nil if it asks for none.
func wanted(info *types.Info, c inspector.Cursor) types.Type {
	kind, i := c.ParentEdge()
	switch p := c.Parent().Node().(type) {
	case *ast.CallExpr:
		if kind == edge.CallExpr_Args {
			return argument(info, p, i)
		}
	case *ast.AssignStmt:
		if kind == edge.AssignStmt_Rhs && len(p.Lhs) == len(p.Rhs) {
			return info.TypeOf(p.Lhs[i])
		}
	case *ast.ValueSpec:
		if p.Type != nil {
			return info.TypeOf(p.Type)
		}
	case *ast.SendStmt:
		if ch, ok := info.TypeOf(p.Chan).Underlying().(*types.Chan); ok && kind == edge.SendStmt_Value {
			return ch.Elem()
		}
	case *ast.ReturnStmt:
		return returned(info, c.Parent(), i, len(p.Results))
	case *ast.CompositeLit:
		return element(info, p, i)
	case *ast.KeyValueExpr:
		if kind == edge.KeyValueExpr_Value {
			return value(info, c.Parent(), p)
		}
	}
	return nil
}

// argument returns the type of a call's parameter.
func argument(info *types.Info, call *ast.CallExpr, i int) types.Type {
	if info.Types[call.Fun].IsType() {
		return info.TypeOf(call)
	}
	if sig, ok := info.TypeOf(call.Fun).Underlying().(*types.Signature); ok {
		last := sig.Params().Len() - 1
		if sig.Variadic() && i >= last && !call.Ellipsis.IsValid() {
			if s, ok := sig.Params().At(last).Type().Underlying().(*types.Slice); ok {
				return s.Elem()
			}
			return nil
		}
		if i <= last {
			return sig.Params().At(i).Type()
		}
	}
	return nil
}

// returned returns the type of a result of the function around a return.
func returned(info *types.Info, c inspector.Cursor, i, n int) types.Type {
	for f := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		var t types.Type
		switch f := f.Node().(type) {
		case *ast.FuncDecl:
			t = info.Defs[f.Name].Type()
		case *ast.FuncLit:
			t = info.TypeOf(f)
		}
		if sig, ok := t.(*types.Signature); ok && sig.Results().Len() == n {
			return sig.Results().At(i).Type()
		}
		return nil
	}
	return nil
}

// element returns the type of a literal's element that has no key.
func element(info *types.Info, lit *ast.CompositeLit, i int) types.Type {
	switch u := info.TypeOf(lit).Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Struct:
		if i < u.NumFields() {
			return u.Field(i).Type()
		}
	}
	return nil
}

// value returns the type of a literal's value that has a key.
func value(info *types.Info, c inspector.Cursor, kv *ast.KeyValueExpr) types.Type {
	lit, ok := c.Parent().Node().(*ast.CompositeLit)
	if !ok {
		return nil
	}
	switch u := info.TypeOf(lit).Underlying().(type) {
	case *types.Struct:
		if key, ok := kv.Key.(*ast.Ident); ok {
			return info.TypeOf(key)
		}
		return nil
	case *types.Map:
		return u.Elem()
	}
	return element(info, lit, 0)
}
