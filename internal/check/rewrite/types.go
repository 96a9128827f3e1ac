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
