package rules

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var largeCopy = &finding.Rule{
	Name:  "large-copy",
	Title: "large values are copied",
	Doc: `Finds a line with 10% of the CPU time or more in its own work, calls left out, that copies a struct or an array of
more than 128 bytes: a range loop with a value variable, a method with a value as its receiver, an argument. It is wrong
if the line has other work, and where the compiler inlines the call: then nothing is copied.`,
	Remedy: "Use the value where it is, by index or by a pointer.",
	Example: `for i := range rows {
	r := &rows[i] // instead of: for _, r := range rows
	sum += r.price
}`,
	Risk:        "Whoever writes through the pointer changes the original, and not a copy.",
	NeedsSource: true,
	Find:        findLargeCopies,
}

// copySaves is the share of the line's own work that copying may be.
var copySaves = evidence.Range{Low: 0.2, High: 1}

func findLargeCopies(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	var found []finding.Finding
	for _, hot := range e.HotLines() {
		copied := largestCopy(e, hot.Frame)
		if copied.Size == 0 || strings.HasSuffix(hot.File, "_test.go") {
			continue
		}
		f := finding.Finding{
			Title:      fmt.Sprintf("%s copies values of %s each", copied.Text, format.Bytes(float64(copied.Size))),
			CPU:        evidence.Range{Low: hot.Share * copySaves.Low, High: hot.Share * copySaves.High},
			Confidence: evidence.Medium,
			Evidence: []finding.Figure{{Name: "CPU time in the line itself", Value: hot.Share, Unit: "fraction"},
				{Name: "size of a value", Value: float64(copied.Size), Unit: "bytes"}},
		}
		moveTo(&f, e, hot.Frame)
		f.Remedy = fmt.Sprintf("%s has %d bytes: use it where it is. ", copied.Type, copied.Size)
		if strings.HasPrefix(copied.Text, "for ") {
			f.Remedy += "Loop over the index and take a pointer to the element, or " +
				"read the fields of " + copied.Target + "[i]."
		} else {
			f.Remedy += "Let the function take a pointer (a pointer receiver, if it is a method)."
			f.Example = fmt.Sprintf("func (v *%s) …", copied.Type)
		}
		found = append(found, f)
	}
	return found
}

// largestCopy returns the expression of a line that copies most.
func largestCopy(e *evidence.Evidence, at evidence.Frame) (largest source.Allocation) {
	for _, a := range e.Source.Allocations(at.File, at.Line) {
		if a.Kind == source.Copy && a.Size > largest.Size {
			largest = a
		}
	}
	return largest
}
