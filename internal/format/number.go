// Package format writes numbers for people: changes, shares, sizes, durations
// and counts.
//
// The stance: one figure reads the same in every view, so no other package
// chooses digits, units or signs. A value has three significant digits and a
// percentage one decimal; a prediction, written by a function whose name begins
// with Rough, has two digits. Wherever a sign is left out the text says zero.
// A plain space separates a number from its unit, except from %, and the minus
// sign is the ASCII one, so that grep finds what the tool printed.
package format

import (
	"math"
	"strconv"
	"strings"
)

// Unknown stands where there is no figure.
const Unknown = "–"

// Value writes a figure in a unit as profiles and benchmarks name them: "1.85
// ms" for "sec" or "nanoseconds", "12.4 MiB" for "B" or "bytes", "3.1%" for
// "fraction". In any other unit the figure is a count, "18.2k", and the unit is
// left to the caller.
func Value(unit string, v float64) string {
	switch unit {
	case "sec", "seconds", "s":
		return Seconds(v)
	case "milliseconds":
		return Seconds(v / 1e3)
	case "microseconds":
		return Seconds(v / 1e6)
	case "nanoseconds", "ns":
		return Seconds(v / 1e9)
	case "bytes", "B":
		return Bytes(v)
	case "fraction":
		return Share(v)
	}
	return Count(v)
}

// Bytes writes a size: "12.4 MiB".
func Bytes(v float64) string {
	return scaled(v, 1024, " B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB")
}

// Count writes a number of things: "7", "18.2k".
func Count(v float64) string { return scaled(v, 1000, "", "k", "M", "G", "T", "P", "E") }

// scaled writes v in the largest unit of which there is at least one. Each unit
// is the base times the one before it.
func scaled(v, base float64, units ...string) string {
	if unknown(v) {
		return Digits(v)
	}
	n := 0
	for n < len(units)-1 && math.Abs(v) >= base-0.5 { // 999.7 would be rounded to 1000
		v, n = v/base, n+1
	}
	return Digits(v) + units[n]
}

// Digits writes three significant digits, or all digits before the point. A
// whole number below 1000 has no decimals.
func Digits(v float64) string {
	a := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return Unknown
	case unknown(v):
		return signed(v, "∞")
	case a >= 1e6: // no prefix makes it shorter
		return fixed(v, 'g', 3)
	case a >= 99.95 || a == math.Trunc(a):
		return fixed(v, 'f', 0)
	case a >= 9.995:
		return fixed(v, 'f', 1)
	case a >= 0.01:
		return fixed(v, 'f', 2)
	}
	return fixed(v, 'g', 2)
}

// unknown reports whether v is no number, or infinite. Documents hold the
// largest number for an infinity, which JSON lacks.
func unknown(v float64) bool { return !(math.Abs(v) < math.MaxFloat64) }

func fixed(v float64, verb byte, digits int) string {
	return signed(v, strconv.FormatFloat(math.Abs(v), verb, digits, 64))
}

// signed sets the sign of v before its digits, unless they are all zero.
func signed(v float64, digits string) string {
	if v < 0 && strings.Trim(digits, "0.") != "" {
		return "-" + digits
	}
	return digits
}

// Plus sets a plus before the text of a difference that is above zero.
func Plus(v float64, text string) string {
	if v > 0 {
		return "+" + text
	}
	return text
}

// PValue writes a p-value; below one in ten thousand it says only that.
func PValue(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}
