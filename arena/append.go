package arena

import "unsafe"

// Append is append for slices that live in a: where s has no room, its values
// move to a new array in a. The first append to a slice without room gets
// exactly as much as it needs, so Append(a, nil, s...) is a copy without slack; later
// ones grow as append does. The old array is free at the next Reset.
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

// grownCap is the growth of append (runtime/slice.go): double, from 256 values
// on towards a quarter more.
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

// uncleared returns a slice whose first len values the caller overwrites; the
// others up to room are zero. Where any bits will do it need not be cleared first.
func uncleared[T any](s *slab, len, room int) []T {
	if !s.elem.anyBits || plainHeap {
		return unsafe.Slice((*T)(s.take(room)), room)[:len]
	}
	p := s.core.bytes.takeRaw(uintptr(room)*s.elem.size, s.elem.align)
	all := unsafe.Slice((*T)(p), room)
	clear(all[len:])
	return all[:len]
}
