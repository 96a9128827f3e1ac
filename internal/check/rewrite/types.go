package rewrite

import "go/types"

// IsBytes reports whether t is a slice of bytes.
func IsBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	elem, ok := s.Elem().Underlying().(*types.Basic)
	return ok && elem.Kind() == types.Byte
}

// Parametric reports whether the size of a type depends on a type parameter.
func Parametric(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		_, ok := types.Unalias(t).(*types.TypeParam)
		return ok
	case *types.Struct:
		for f := range u.Fields() {
			if Parametric(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return Parametric(u.Elem())
	}
	return false
}
