package arena

import "unsafe"

// New returns a pointer to a new zero value of type T in a.
func New[T any](a *Arena) *T {
	if a != nil && a.lastType == typeWord[T]() {
		if s := a.last; s.left != 0 {
			s.left -= unsafe.Sizeof(*new(T))
			return (*T)(unsafe.Add(s.base, s.left))
		}
	}
	return newSlow[T](a)
}

//go:noinline
func newSlow[T any](a *Arena) *T {
	if a == nil {
		return new(T)
	}
	return (*T)(slabOf[T](a, "New").take(1))
}

// MakeSlice returns a slice of len zero values in a, with room for cap. It
// panics as make does when a length is out of range.
func MakeSlice[T any](a *Arena, len, cap int) []T {
	if a == nil {
		return make([]T, len, cap)
	}
	return makeSlice[T](slabOf[T](a, "MakeSlice"), len, cap)
}

func makeSlice[T any](s *slab, len, cap int) []T {
	if len < 0 || len > cap || overflows(cap, s.elem.size) {
		return make([]T, len, cap) // panics, in make's words
	}
	return unsafe.Slice((*T)(s.take(cap)), cap)[:len]
}

// overflows reports whether n values of the given size exceed any memory.
func overflows(n int, size uintptr) bool {
	return size != 0 && uintptr(n) > (^uintptr(0)>>1)/size
}

// slabOf returns the slab for T. Now and then it remembers it for the next New:
// not always, because code that alternates between types would only pay for
// write barriers.
func slabOf[T any](a *Arena, op string) *slab {
	word := typeWord[T]()
	c := a.live(op)
	s := c.table.get(word)
	if s == nil {
		s = c.slabFor(word, elemOf[T])
	}
	if a.misses++; a.misses%8 == 1 {
		a.lastType, a.last = word, s
	}
	return s
}
