package arena

import "unsafe"

// Bytes returns a copy of b in a, nil for nil.
func Bytes(a *Arena, b []byte) []byte {
	if a != nil && !debugging {
		// The usual case, in one function: a short copy takes as long as two calls.
		if c := a.core; c != nil && uintptr(len(b)-1) < c.bytes.left {
			s := &c.bytes
			s.blocks++
			s.left -= uintptr(len(b))
			dst := unsafe.Slice((*byte)(unsafe.Add(s.base, s.left)), len(b))
			copy(dst, b)
			return dst
		}
	}
	if b == nil {
		return nil
	}
	dst := rawBytes(a, len(b))
	copy(dst, b)
	return dst
}

// String returns a copy of s in a.
func String(a *Arena, s string) string {
	b := Bytes(a, unsafe.Slice(unsafe.StringData(s), len(s)))
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Concat returns the parts joined to one string in a.
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
