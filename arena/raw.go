package arena

import (
	"reflect"
	"unsafe"
)

// rawElem is the elem of takeRaw's memory: bytes, but aligned to 8, the largest
// alignment of Go's types, which not every backend gives bytes.
var rawElem = &elem{
	typ: reflect.TypeFor[byte](), size: 1, align: 1, anyBits: true,
	make: sourceRaw,
}

// takeRaw returns n uncleared bytes, aligned to a power of two up to 8. n must be
// positive. The caller overwrites all of them.
func (s *slab) takeRaw(n, align uintptr) unsafe.Pointer {
	if debugging {
		checkQuarantine()
	}
	if n > s.left {
		if p := s.advance(int(n), n); p != nil {
			return p
		}
	}
	s.left = (s.left - n) &^ (align - 1)
	return unsafe.Add(s.base, s.left)
}

// AlignedBytes returns n zero bytes in a at an address that is a multiple of align,
// which must be a power of two: for direct I/O, vector units and values that must not
// share a cache line. Go's types need at most 8 bytes, and other functions align
// values as the heap does.
func AlignedBytes(a *Arena, n, align int) []byte {
	if align <= 0 || align&(align-1) != 0 {
		panic("arena: AlignedBytes: the alignment is not a power of two")
	}
	if n < 0 || n > int(^uint(0)>>1)-align {
		panic("arena: AlignedBytes: len out of range")
	}
	b := MakeSlice[byte](a, n+align-1, n+align-1)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) & uintptr(align-1))
	return b[skip : skip+n : skip+n]
}
