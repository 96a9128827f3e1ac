// Package view shows a diagnosis as text, as JSON and as one HTML file.
//
// The stance: the document has everything. A view omits, shortens and rounds, and makes
// text from profiles harmless.
package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules"
)

// Share formats a part of a whole as the page does: "12%".
func Share(v float64) string { return format.RoughShare(v) }

// Between formats a range of shares as the page does: "12–20%".
func Between(r evidence.Range) string { return format.RoughRange(r.Low, r.High) }

// Saving formats the predicted saving of a finding: "12–20%".
func Saving(r evidence.Range) string { return unbroken(saving(r)) }

// unbroken keeps a number and its unit on one line.
func unbroken(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }

// Place formats a line with its folder and file, as the page does: "codec/read.go:12".
func Place(file string, line int) string { return place(file, line, 2) }

// maxWidth is the width of a predicted range above which only its high end is shown.
const maxWidth = 0.6

// saving formats the predicted saving of a finding.
func saving(r evidence.Range) string {
	if r.High-r.Low > maxWidth {
		return "at most " + format.RoughShare(r.High) + " (unknown until measured)"
	}
	return Between(r)
}

// figure formats a number with its unit. The unit of a count is in the figure's name.
func figure(f rules.Figure) string {
	switch f.Unit {
	case "bytes", "count":
		return format.Value(f.Unit, f.Value)
	case "bytes/s":
		return format.Bytes(f.Value) + "/s"
	case "bytes/hour":
		return format.Bytes(f.Value) + "/h"
	case "fraction":
		return format.RoughShare(f.Value)
	}
	return format.Count(f.Value) + " " + f.Unit
}

// growth formats a slope with its interval.
func growth(g *evidence.Growth) string {
	if g == nil {
		return format.Unknown
	}
	return fmt.Sprintf("%s/h [%s, %s]", format.Bytes(g.PerHour), format.Bytes(g.Low), format.Bytes(g.High))
}

// place formats the place of a frame, with the last elements of its path.
func place(file string, line, elements int) string {
	if file == "" {
		return "the whole program"
	}
	parts := strings.Split(strings.ReplaceAll(file, `\`, "/"), "/")
	parts = parts[max(0, len(parts)-elements):]
	return strings.Join(parts, "/") + ":" + strconv.Itoa(line)
}
