package arena

import "unsafe"

// Bytes returns a copy of b in a, nil for nil.
func Bytes(a *Arena, b []byte) []byte {
	if len(b) == 0 {
		if b == nil {
			return nil
		}
		return []byte{}
	}
	if a == nil {
		return append([]byte(nil), b...)
	}
	dst := rawBytes(a, len(b))
	copy(dst, b)
	return dst
}

// String returns a copy of s in a.
func String(a *Arena, s string) string {
	if len(s) == 0 {
		return ""
	}
	if a == nil {
		return string(append([]byte(nil), s...))
	}
	dst := rawBytes(a, len(s))
	copy(dst, s)
	return unsafe.String(&dst[0], len(dst))
}

// Concat returns the parts joined to one string in a.
func Concat(a *Arena, parts ...string) string {
	n := 0
	for _, p := range parts {
		if n += len(p); n < 0 {
			panic("arena: Concat: length out of range")
		}
	}
	if n == 0 {
		return ""
	}
	var dst []byte
	if a == nil {
		dst = make([]byte, n)
	} else {
		dst = rawBytes(a, n)
	}
	rest := dst
	for _, p := range parts {
		rest = rest[copy(rest, p):]
	}
	return unsafe.String(&dst[0], n)
}

// rawBytes returns n > 0 bytes that the caller overwrites.
func rawBytes(a *Arena, n int) []byte {
	c := a.core
	if c == nil {
		a.live("copying")
	}
	return unsafe.Slice((*byte)(c.bytes.takeRaw(uintptr(n), 1)), n)
}
