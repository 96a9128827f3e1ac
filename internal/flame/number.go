package flame

import (
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/termtext"
)

// amount formats a value in a profile's unit: "12.4 MiB", "1.85 s", "18.2k". A unit that
// format does not know is appended to the number. page/number.js does the same.
func amount(v float64, unit string) string {
	switch unit {
	case "bytes", "nanoseconds", "microseconds", "milliseconds", "count", "":
		return format.Value(unit, v)
	}
	return format.Count(v) + " " + termtext.Harmless(unit)
}

// difference formats the change from before to after, with its sign.
func difference(after, before float64, unit string) string {
	return format.Plus(after-before, amount(after-before, unit))
}
