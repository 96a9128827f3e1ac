package jsontext

import "unsafe"

// CheckNumber returns the end of the number at p, nil if there is none.
func CheckNumber(p unsafe.Pointer) unsafe.Pointer {
	if Char(p) == '-' {
		p = unsafe.Add(p, 1)
	}
	switch c := Char(p); {
	case c == '0':
		p = unsafe.Add(p, 1)
	case Digit(c):
		p = Digits(p)
	default:
		return nil
	}
	if Char(p) == '.' {
		if p = unsafe.Add(p, 1); !Digit(Char(p)) {
			return nil
		}
		p = Digits(p)
	}
	if Char(p)|0x20 == 'e' {
		p = unsafe.Add(p, 1)
		if c := Char(p); c == '+' || c == '-' {
			p = unsafe.Add(p, 1)
		}
		if !Digit(Char(p)) {
			return nil
		}
		p = Digits(p)
	}
	return p
}

// Digit reports whether c is a digit.
func Digit(c byte) bool { return c-'0' < 10 }

// Digits returns the end of the digits at p.
func Digits(p unsafe.Pointer) unsafe.Pointer {
	for AllDigits(Load8(p)) {
		p = unsafe.Add(p, 8)
	}
	for Digit(Char(p)) {
		p = unsafe.Add(p, 1)
	}
	return p
}

// AllDigits reports whether the eight bytes of x are digits.
func AllDigits(x uint64) bool {
	return (x&0xf0f0f0f0f0f0f0f0)|((x+6*LowBits)&0xf0f0f0f0f0f0f0f0)>>4 == 0x3333333333333333
}

// SkipNumber returns the end of a valid number.
func SkipNumber(p unsafe.Pointer) unsafe.Pointer {
	for inNumber[Char(p)] {
		p = unsafe.Add(p, 1)
	}
	return p
}

var inNumber = func() (in [256]bool) {
	for _, c := range "0123456789+-.eE" {
		in[c] = true
	}
	return in
}()

// Accumulate appends the digits at p to a number, which may overflow.
func Accumulate(u uint64, p unsafe.Pointer) (uint64, unsafe.Pointer) {
	for x := Load8(p); AllDigits(x); x = Load8(p) {
		u = u*1e8 + eightDigits(x)
		p = unsafe.Add(p, 8)
	}
	for c := Char(p) - '0'; c < 10; c = Char(p) - '0' {
		u = u*10 + uint64(c)
		p = unsafe.Add(p, 1)
	}
	return u, p
}

// eightDigits returns the number that eight digits stand for. They are joined in three
// steps: pairs, groups of four, and all.
func eightDigits(x uint64) uint64 {
	x -= '0' * LowBits
	x = x*10 + x>>8
	return ((x&0x000000ff000000ff)*(100+1000000<<32) + (x>>16&0x000000ff000000ff)*(1+10000<<32)) >> 32
}
