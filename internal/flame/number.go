package flame

import (
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/termtext"
)

// amount writes a value of a profile's unit: "12.4 MiB", "1.85 s", "18.2k". A
// unit that is no usual one follows it. page/number.js does the same.
func amount(v float64, unit string) string {
	switch unit {
	case "bytes", "nanoseconds", "microseconds", "milliseconds", "count", "":
		return format.Value(unit, v)
	}
	return format.Count(v) + " " + termtext.Harmless(unit)
}

// difference writes how much more the value is after than before.
func difference(after, before float64, unit string) string {
	return format.Plus(after-before, amount(after-before, unit))
}
