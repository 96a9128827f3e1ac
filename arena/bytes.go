package arena

import "unsafe"

// Bytes returns a copy of b in a, nil for nil.
func Bytes(a *Arena, b []byte) []byte { return bytesFast(a, b, bytesSlow) }

// bytesFast is Bytes where there is room, compiled into the caller (see
// newFast): a short copy takes no longer than two calls.
func bytesFast(a *Arena, b []byte, slow func(*Arena, []byte) []byte) []byte {
	if debugging {
		return slow(a, b) // which looks for late writes
	}
	if a != nil {
		s := &a.core.bytes
		if left := s.left - uintptr(len(b)); left < s.left { // else b is empty, or left has wrapped
			s.left = left
			s.blocks++
			dst := unsafe.Slice((*byte)(unsafe.Add(s.base, left)), len(b))
			copy(dst, b)
			return dst
		}
	}
	return slow(a, b)
}

//go:noinline
func bytesSlow(a *Arena, b []byte) []byte {
	dst := rawBytes(a, len(b)) // of nothing too: a freed arena must panic
	if b == nil {
		return nil
	}
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
