package jsontext

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Slack is how many bytes can be read behind the input. The first is zero, which
// ends every loop over the input, because JSON has no zero byte anywhere.
const Slack = 16

// Load8 returns the 8 bytes at p, the first one lowest.
func Load8(p unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(p)[:]) }

// Load4 returns the 4 bytes at p, the first one lowest.
func Load4(p unsafe.Pointer) uint32 { return binary.LittleEndian.Uint32((*[4]byte)(p)[:]) }

// Char returns the byte at p.
func Char(p unsafe.Pointer) byte { return *(*byte)(p) }

// The lowest and the highest bit of each byte of a word.
const (
	LowBits  = 0x0101010101010101
	HighBits = 0x8080808080808080
)

// Space returns the first place at or after p that is not white space.
func Space(p unsafe.Pointer) unsafe.Pointer {
	if Char(p) > ' ' {
		return p
	}
	return spaces(p)
}

// Colon returns the value behind the colon at or after p.
func Colon(p unsafe.Pointer) unsafe.Pointer {
	if p = unsafe.Add(Space(p), 1); Char(p) == ' ' { // most programs write it so
		p = unsafe.Add(p, 1)
	}
	return Space(p)
}

//go:noinline
func spaces(p unsafe.Pointer) unsafe.Pointer {
	for {
		switch Char(p) {
		case '\n', ' ', '\t', '\r':
			p = unsafe.Add(p, 1)
		default:
			return p
		}
		x := Load8(p) ^ ' '*LowBits // indentation
		for ; x == 0; x = Load8(p) ^ ' '*LowBits {
			p = unsafe.Add(p, 8)
		}
		if p = unsafe.Add(p, bits.TrailingZeros64(x)/8); Char(p) > ' ' {
			return p
		}
	}
}
