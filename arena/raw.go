package arena

import (
	"reflect"
	"unsafe"
)

// rawElem is the elem of memory that takeRaw hands out: of bytes, but aligned to
// 8 as the largest of Go's types, which not every backend does for bytes.
var rawElem = &elem{
	typ: reflect.TypeFor[byte](), size: 1, align: 1, anyBits: true,
	make: sourceRaw,
}

// takeRaw returns n bytes, not zero, aligned to a power of two up to 8. n must
// be positive. The caller overwrites them all: a copy need not clear first.
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

// AlignedBytes returns n zero bytes in a at an address that is a multiple of
// align, which must be a power of two: for direct I/O, vector units and values that
// must not share a cache line. Go's own types are aligned to 8 bytes at most,
// and values in an arena as on the heap.
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
