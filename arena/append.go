package arena

import "unsafe"

// Append appends values to s. If s has no room for them, all values move to a new
// array in a. The first array has exactly the capacity that is needed, so Append(a,
// nil, s...) is a copy without slack; later ones grow as with append. The memory of
// the old array is reused after the next Reset.
func Append[T any](a *Arena, s []T, values ...T) []T {
	if a == nil {
		return append(s, values...)
	}
	slab := slabOf[T](a, "Append")
	need := len(s) + len(values)
	if need <= cap(s) || slab.elem.size == 0 {
		return append(s, values...)
	}
	room := grownCap(cap(s), need)
	if overflows(room, slab.elem.size) {
		return append(s, values...) // panics, in append's words
	}
	grown := uncleared[T](slab, need, room)
	copy(grown, s)
	copy(grown[len(s):], values)
	return grown
}

// grownCap grows as append does (runtime/slice.go): it doubles, and from 256 values
// on the factor falls towards 1.25.
func grownCap(old, need int) int {
	if old == 0 || need > 2*old {
		return need
	}
	if old < 256 {
		return 2 * old
	}
	for old < need {
		if old += (old + 3*256) / 4; old < 0 { // beyond the range of an int
			return need
		}
	}
	return old
}

// uncleared returns a slice of capacity room. The caller overwrites the first len
// values, so they are not cleared if any bits are a valid value; the others are zero.
func uncleared[T any](s *slab, len, room int) []T {
	if !s.elem.anyBits || plainHeap {
		return unsafe.Slice((*T)(s.take(room)), room)[:len]
	}
	p := s.core.bytes.takeRaw(uintptr(room)*s.elem.size, s.elem.align)
	all := unsafe.Slice((*T)(p), room)
	clear(all[len:])
	return all[:len]
}
