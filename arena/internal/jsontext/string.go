package jsontext

import (
	"math/bits"
	"unsafe"
)

// stops marks the bytes of x that end or interrupt a string: quotes, backslashes and
// control characters. Only the lowest mark is exact. With its second bit flipped, a
// quote is below '!' like the control characters, and no other byte is.
func stops(x uint64) uint64 {
	quote, slash := x^2*LowBits, x^'\\'*LowBits
	return ((quote - '!'*LowBits) | (slash - LowBits)) &^ x & HighBits
}

// Stop returns the first quote, backslash or control character at or after p.
func Stop(p unsafe.Pointer) unsafe.Pointer {
	for {
		if m := stops(Load8(p)); m != 0 {
			return unsafe.Add(p, bits.TrailingZeros64(m)/8)
		}
		p = unsafe.Add(p, 8)
	}
}

// Run is Stop that also reports whether all bytes before it are ASCII.
func Run(p unsafe.Pointer) (unsafe.Pointer, bool) {
	var seen uint64
	for {
		x := Load8(p)
		if m := stops(x); m != 0 {
			n := bits.TrailingZeros64(m)
			seen |= x & (1<<n>>7 - 1)
			return unsafe.Add(p, n/8), seen&HighBits == 0
		}
		seen |= x
		p = unsafe.Add(p, 8)
	}
}

// SkipString returns the place after the closing quote of the valid string whose
// content begins at p.
func SkipString(p unsafe.Pointer) unsafe.Pointer {
	for {
		p = Stop(p)
		if Char(p) != '\\' {
			return unsafe.Add(p, 1)
		}
		p = unsafe.Add(p, 2)
	}
}

// CheckString returns the place after the closing quote of the string whose content
// begins at p, nil if it is invalid.
func CheckString(p unsafe.Pointer) unsafe.Pointer {
	for {
		p = Stop(p)
		switch Char(p) {
		case '"':
			return unsafe.Add(p, 1)
		case '\\':
		default:
			return nil
		}
		switch Char(unsafe.Add(p, 1)) {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			p = unsafe.Add(p, 2)
		case 'u':
			if _, ok := Hex4(unsafe.Add(p, 2)); !ok {
				return nil
			}
			p = unsafe.Add(p, 6)
		default:
			return nil
		}
	}
}
