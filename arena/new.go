package arena

import "unsafe"

// New returns a pointer to a new zero value of type T in a.
func New[T any](a *Arena) (p *T) {
	return (*T)(newFast(a, of[T]{}, unsafe.Sizeof(*p), kind.newIn))
}

// newFast is the fast path of New: the type was used recently, and its slab has room.
// It is just within the inliner's budget, which counts the call of a parameter as
// cheap and every other call as expensive (cmd/compile/internal/inline,
// inlineParamCallCost).
func newFast(a *Arena, k kind, size uintptr, slow func(kind, *Arena) unsafe.Pointer) unsafe.Pointer {
	if a != nil {
		word := key(k)
		if s := a.core.cache[word>>5%cacheSlots]; s.key == word && s.left != 0 {
			s.left -= size
			return unsafe.Add(s.base, s.left)
		}
	}
	return slow(k, a)
}

// MakeSlice returns a slice of len zero values in a, with room for cap. It
// panics as make does when a length is out of range.
func MakeSlice[T any](a *Arena, len, cap int) []T {
	if a == nil {
		return make([]T, len, cap)
	}
	return makeSlice[T](slabOf[T](a, "MakeSlice"), len, cap)
}

// makeSlice is MakeSlice for the slab of T.
func makeSlice[T any](s *slab, len, cap int) []T {
	if len < 0 || len > cap || overflows(cap, s.elem.size) {
		return make([]T, len, cap) // panics with make's message
	}
	return unsafe.Slice((*T)(s.take(cap)), cap)[:len]
}

// overflows reports whether n values of the given size exceed the address space.
func overflows(n int, size uintptr) bool {
	return size != 0 && uintptr(n) > (^uintptr(0)>>1)/size
}

// slabOf returns the slab for T, and puts it into the cache, where newFast looks. It panics
// if a was freed; the message names the operation op.
func slabOf[T any](a *Arena, op string) *slab {
	c := a.live(op)
	word := key(of[T]{})
	slot := &c.cache[word>>5%cacheSlots]
	if s := *slot; s.key == word {
		return s
	}
	s := c.table.get(word)
	if s == nil {
		s = c.slabFor(word, elemOf[T]())
	}
	s.key = word
	*slot = s
	return s
}
