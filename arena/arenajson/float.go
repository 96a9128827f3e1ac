package arenajson

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// powers are the powers of ten that fit 64 bits.
var powers = func() (p [20]uint64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = p[i] * 10
	}
	return p
}()

// decimal returns the number at p, correctly rounded, and its end. The end is nil if
// the value is not a number, or if one division does not suffice: for more than 19
// digits, or a large exponent.
func decimal(p unsafe.Pointer) (float64, unsafe.Pointer) {
	// The digits before and after the point are one integer, which fits 64 bits.
	negative := jsontext.Char(p) == '-'
	if negative {
		p = unsafe.Add(p, 1)
	}
	start := p
	u, p := jsontext.Accumulate(0, p)
	n := int(uintptr(p) - uintptr(start))
	fraction := 0
	if jsontext.Char(p) == '.' {
		p = unsafe.Add(p, 1)
		point := p
		u, p = jsontext.Accumulate(u, p)
		fraction = int(uintptr(p) - uintptr(point))
	}
	if n == 0 || n+fraction > 19 {
		return 0, nil
	}

	// The exponent only moves the point.
	if jsontext.Char(p)|0x20 == 'e' {
		var e uint64
		p = unsafe.Add(p, 1)
		less := jsontext.Char(p) == '-'
		if less || jsontext.Char(p) == '+' {
			p = unsafe.Add(p, 1)
		}
		start := p
		if e, p = jsontext.Accumulate(0, p); uintptr(p)-uintptr(start) > 4 {
			return 0, nil
		}
		if less {
			fraction += int(e)
		} else {
			fraction -= int(e)
		}
	}

	// Each case rounds once: a conversion, a quotient with a remainder, or an exact
	// product that is then converted.
	var f float64
	switch {
	case u == 0:
	case fraction == 0:
		f = float64(u)
	case 0 < fraction && fraction < len(powers):
		f = quotient(u, powers[fraction])
	case fraction < 0 && -fraction < len(powers):
		high, low := bits.Mul64(u, powers[-fraction])
		if high != 0 {
			return 0, nil
		}
		f = float64(low)
	default:
		return 0, nil
	}
	if negative {
		f = -f
	}
	return f, p
}

// quotient returns u/v for positive integers, rounded to nearest, ties to even (IEEE
// 754). The quotient of normalized operands has 63 or 64 bits; with the remainder as
// one more bit, its rounding is exact.
func quotient(u, v uint64) float64 {
	zu, zv := bits.LeadingZeros64(u), bits.LeadingZeros64(v)
	u <<= zu
	q, r := bits.Div64(u>>1, u<<63, v<<zv) // half of u is less than v
	if r != 0 {
		q |= 1
	}
	power := math.Float64frombits(uint64(1023+zv-zu-63) << 52)
	return float64(q) * power
}
