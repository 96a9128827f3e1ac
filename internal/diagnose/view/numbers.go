// Package view shows a diagnosis: as text, as JSON, as one HTML file.
//
// The stance: the document holds all; a view leaves out, shortens and rounds, and
// shows text from a profile so that it can do no harm.
package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules"
)

// Share writes a part of a whole as the page does: "12%".
func Share(v float64) string { return format.RoughShare(v) }

// Between writes a range of shares as the page does: "12–20%".
func Between(r evidence.Range) string { return format.RoughRange(r.Low, r.High) }

// Saving is the predicted saving of a finding: "12–20%".
func Saving(r evidence.Range) string { return unbroken(saving(r)) }

// unbroken keeps a number and its unit on one line.
func unbroken(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }

// Place names a line by its folder and file, as the page does: "codec/read.go:12".
func Place(file string, line int) string { return place(file, line, 2) }

// maxWidth is the greatest width of a predicted range that is shown as a range.
const maxWidth = 0.6

// saving writes a finding's predicted saving of a part.
func saving(r evidence.Range) string {
	if r.High-r.Low > maxWidth {
		return "at most " + format.RoughShare(r.High) + " (unknown until measured)"
	}
	return Between(r)
}

// figure writes a number with its unit. The unit of a count is in the figure's name.
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

// growth writes a slope with its interval.
func growth(g *evidence.Growth) string {
	if g == nil {
		return format.Unknown
	}
	return fmt.Sprintf("%s/h [%s, %s]", format.Bytes(g.PerHour), format.Bytes(g.Low), format.Bytes(g.High))
}

// place writes where a frame is, by the end of its path.
func place(file string, line, elements int) string {
	if file == "" {
		return "the whole program"
	}
	parts := strings.Split(strings.ReplaceAll(file, `\`, "/"), "/")
	parts = parts[max(0, len(parts)-elements):]
	return strings.Join(parts, "/") + ":" + strconv.Itoa(line)
}
