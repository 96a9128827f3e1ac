package flame

import (
	"math"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/plain"
)

// amount writes a value of a profile's unit with three digits: "12.4 MiB",
// "1.85 s", "18.2k". page/number.js does the same.
func amount(v float64, unit string) string {
	switch unit {
	case "bytes":
		return scaled(v, 1024, []string{" B", " KiB", " MiB", " GiB", " TiB", " PiB"})
	case "nanoseconds":
		return scaled(v, 1000, []string{" ns", " µs", " ms", " s"})
	case "microseconds":
		return scaled(v, 1000, []string{" µs", " ms", " s"})
	case "milliseconds":
		return scaled(v, 1000, []string{" ms", " s"})
	case "count", "":
		return scaled(v, 1000, []string{"", "k", "M", "G", "T"})
	}
	return scaled(v, 1000, []string{"", "k", "M", "G", "T"}) + " " + plain.Harmless(unit)
}

// scaled divides by the base as long as there are units for it.
func scaled(v, base float64, units []string) string {
	n := 0
	for n < len(units)-1 && math.Abs(v) >= base-0.5 { // 999.7 would be rounded to 1000
		v, n = v/base, n+1
	}
	return digits(v) + units[n]
}

// digits writes three significant digits, or all those before the point.
func digits(v float64) string {
	a, places := math.Abs(v), 2
	switch {
	case a == math.Trunc(a) && a < 1000, a >= 99.95:
		places = 0
	case a >= 9.995:
		places = 1
	}
	if a >= 1e15 {
		return strings.Replace(strconv.FormatFloat(v, 'g', 3, 64), "-", "−", 1)
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', places, 64), "-", "−", 1)
}

// share writes a part of a whole: "12.4 %".
func share(part, whole float64) string {
	switch p := 100 * part / whole; {
	case whole == 0 || math.IsNaN(p):
		return "–"
	case p != 0 && math.Abs(p) < 0.01:
		return "<0.01 %"
	default:
		return digits(p) + " %"
	}
}

// signed writes a change with its sign.
func signed(text string, v float64) string {
	if v > 0 {
		return "+" + text
	}
	return text
}
