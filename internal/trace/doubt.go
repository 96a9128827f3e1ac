package trace

import (
	"fmt"
	"slices"
)

// enough is how many lengths there must be for a p99.9 that is more than the
// longest few.
const enough = 10_000

// doubt notes reservations about the figures.
func (doc *Document) doubt(m *machine) {
	warn := func(format string, args ...any) { doc.Warnings = append(doc.Warnings, fmt.Sprintf(format, args...)) }
	switch {
	case len(doc.Cycles) == 0:
		warn("No collection ran in this trace; record a longer one.")
	case !slices.ContainsFunc(doc.Cycles, func(c Cycle) bool { return !c.Partial }):
		warn("No collection ran from its beginning to its end in this trace: the figures are of a part of one; record a longer trace.")
	}
	if n := doc.Bursts.Count; n > 0 && n < enough {
		warn("There are only %d bursts: their p99.9 rests on the longest %d.", n, doc.Bursts.At(0.999).Count)
	}
	if m.omitted > 0 {
		warn("%d collections and pauses beyond the first %d of each are summed up but not listed.",
			m.omitted, maxCycles)
	}
	if len(m.lines.all) >= maxLines {
		warn("There are more than %d lines that assist; the others share one entry.", maxLines)
	}
}
