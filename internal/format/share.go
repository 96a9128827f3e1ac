package format

import "math"

// Share writes a part of a whole, 1 for all of it: "12.4%", "<0.01%". A part
// of nothing is Unknown.
func Share(v float64) string {
	switch p := 100 * v; {
	case unknown(p):
		return Unknown
	case p > 0 && p < least:
		return "<0.01%"
	case p < 0 && p > -least:
		return ">-0.01%"
	default:
		return percent(p)
	}
}

// ShareInterval writes the interval of a share: "[3.1%, 12.4%]".
func ShareInterval(low, high float64) string {
	return "[" + percent(100*low) + ", " + percent(100*high) + "]"
}

// RoughShare writes a predicted part of a whole: "12%", "3.1%", "<0.1%".
func RoughShare(v float64) string {
	if unknown(v) {
		return Unknown
	}
	return rough(100*v) + "%"
}

// RoughRange writes a predicted range of a part: "12–20%".
func RoughRange(low, high float64) string {
	l, h := rough(100*low), rough(100*high)
	if l == h {
		return h + "%"
	}
	return l + "–" + h + "%"
}

func rough(p float64) string {
	switch {
	case unknown(p):
		return Digits(p)
	case p > 0 && p < 0.1:
		return "<0.1"
	case p < 0 && p > -0.1:
		return ">-0.1"
	case p != 0 && math.Abs(p) < 9.95:
		return fixed(p, 'f', 1)
	}
	return fixed(p, 'f', 0)
}

// least is the percentage from which on "0.01" is nearer than "0".
const least = 0.005

// percent writes a percentage with one decimal, and with two where one decimal
// would hide on which side of zero it lies. From 100 on it has none.
func percent(p float64) string {
	switch a := math.Abs(p); {
	case unknown(p):
		return Digits(p)
	case a < least:
		return "0%"
	case a < 0.095:
		return fixed(p, 'f', 2) + "%"
	case a < 99.95:
		return fixed(p, 'f', 1) + "%"
	}
	return fixed(p, 'f', 0) + "%"
}
