package arena

import "unsafe"

// Bytes returns a copy of b in a, nil for nil.
func Bytes(a *Arena, b []byte) []byte {
	dst := unsafe.Slice((*byte)(rawFast(a, b, rawSlow)), len(b))
	copy(dst, b)
	return dst
}

// rawFast returns memory for a copy of b. If there is room, its code is inlined into
// the caller (see newFast). Both paths yield an address and share the code of the
// copy, so that the caller spills no more variables than in a copy to a known
// address.
func rawFast(a *Arena, b []byte, slow func(*Arena, []byte) unsafe.Pointer) unsafe.Pointer {
	if debugging {
		return slow(a, b) // it checks for late writes
	}
	if a != nil {
		s := &a.core.bytes
		if left := s.left - uintptr(len(b)); left < s.left { // else b is empty, or the subtraction wrapped
			s.left = left
			return unsafe.Add(s.base, left)
		}
	}
	return slow(a, b)
}

//go:noinline
func rawSlow(a *Arena, b []byte) unsafe.Pointer {
	dst := rawBytes(a, len(b)) // even for an empty b: a freed arena must panic
	if b == nil {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(dst))
}

// String returns a copy of s in a.
func String(a *Arena, s string) string {
	b := Bytes(a, unsafe.Slice(unsafe.StringData(s), len(s)))
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Concat returns the concatenation of the parts, in a.
func Concat(a *Arena, parts ...string) string {
	n := 0
	for _, p := range parts {
		if n += len(p); n < 0 {
			panic("arena: Concat: length out of range")
		}
	}
	dst := rawBytes(a, n)
	rest := dst
	for _, p := range parts {
		rest = rest[copy(rest, p):]
	}
	return unsafe.String(unsafe.SliceData(dst), n)
}

// rawBytes returns n bytes that the caller overwrites.
func rawBytes(a *Arena, n int) []byte {
	if a == nil {
		return make([]byte, n)
	}
	c := a.live("copying")
	if n == 0 {
		return []byte{}
	}
	return unsafe.Slice((*byte)(c.bytes.takeRaw(uintptr(n), 1)), n)
}
