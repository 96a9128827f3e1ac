package arenapb

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// slack is how many bytes can be read behind the input: a varint has at most 10
// bytes, and loads are of 8.
const slack = 16

// load8 returns the 8 bytes at p, the first one lowest.
func load8(p unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(p)[:]) }

func load4(p unsafe.Pointer) uint32 { return binary.LittleEndian.Uint32((*[4]byte)(p)[:]) }

const highBits = 0x8080808080808080

// varint returns the varint at p and its end, or nil if it has more than 64 bits. It
// may read bytes behind the message, so the caller must check the end.
func varint(p unsafe.Pointer) (uint64, unsafe.Pointer) {
	x := load8(p)
	if stop := ^x & highBits; stop != 0 {
		// The bits up to the first byte without a continuation bit are joined in
		// three steps: groups of 7, 14 and 28.
		n := uint(bits.TrailingZeros64(stop)) + 1
		x &= ^uint64(0) >> (64 - n) & ^uint64(highBits)
		x = x&0x007f007f007f007f | x&0x7f007f007f007f00>>1
		x = x&0x00003fff00003fff | x&0x3fff00003fff0000>>2
		x = x&0x000000000fffffff | x&0x0fffffff00000000>>4
		return x, unsafe.Add(p, n/8)
	}
	return longVarint(p, x)
}

// longVarint is varint for 9 and 10 bytes, of which x is the first 8.
func longVarint(p unsafe.Pointer, x uint64) (uint64, unsafe.Pointer) {
	var v uint64
	for i := range 8 {
		v |= x >> (8 * i) & 0x7f << (7 * i)
	}
	b8, b9 := *(*byte)(unsafe.Add(p, 8)), *(*byte)(unsafe.Add(p, 9))
	v |= uint64(b8&0x7f) << 56
	switch {
	case b8 < 0x80:
		return v, unsafe.Add(p, 9)
	case b9 <= 1:
		return v | uint64(b9)<<63, unsafe.Add(p, 10)
	}
	return 0, nil
}

// length returns the length at p and its end. For an invalid length it returns one
// that is larger than any input.
func length(p unsafe.Pointer) (int, unsafe.Pointer) {
	n, rest := varint(p)
	if rest == nil {
		return maxInt, unsafe.Add(p, 1)
	}
	return int(min(n, uint64(maxInt))), rest
}

const maxInt = int(^uint(0) >> 1)

// isASCII reports whether no byte of n at p has its high bit set. It leaves long
// text to utf8.Valid, which compares more words at once.
func isASCII(p unsafe.Pointer, n int) bool {
	if n > 64 {
		return false
	}
	for ; n > 8; n -= 8 {
		if load8(p)&highBits != 0 {
			return false
		}
		p = unsafe.Add(p, 8)
	}
	return load8(p)<<(uint(8-n)*8)&highBits == 0
}

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
