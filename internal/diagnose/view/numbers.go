// Package view shows a diagnosis: as text, as JSON, as one HTML file.
//
// The stance: the document holds all; a view leaves out, shortens and rounds, and
// shows what came from a profile so that it can do no harm.
package view

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/heapwright/heapwright/internal/diagnose"
)

// Share writes a part of a whole as the page does: "12.3 %", never broken.
func Share(v float64) string { return unbroken(share(v)) }

// Between writes a range of shares as the page does: "12–20 %", never broken.
func Between(r diagnose.Range) string { return unbroken(between(r)) }

// unbroken keeps a number and its unit on one line.
func unbroken(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }

// Place names a line by its folder and file, as the page does: "codec/read.go:12".
func Place(file string, line int) string { return place(file, line, 2) }

// share writes a part of a whole: "12.3 %".
func share(v float64) string {
	switch p := 100 * v; {
	case p == 0:
		return "0 %"
	case math.Abs(p) < 0.1:
		return "<0.1 %"
	case math.Abs(p) < 9.95:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	default:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	}
}

// between writes a range of shares: "12–20 %".
func between(r diagnose.Range) string {
	low, high := share(r.Low), share(r.High)
	if low == high {
		return high
	}
	return strings.TrimSuffix(low, " %") + "–" + high
}

func bytesText(v float64) string {
	if v == 0 {
		return "0 B"
	}
	s := benchunit.Scale(math.Abs(v), benchunit.Binary)
	at := strings.IndexAny(s, "KMGT")
	if at < 0 {
		return sign(v) + strconv.FormatFloat(math.Abs(v), 'f', 0, 64) + " B"
	}
	return sign(v) + s[:at] + " " + s[at:] + "B"
}

func sign(v float64) string {
	if v < 0 {
		return "−"
	}
	return ""
}

// figure writes a number with its unit.
func figure(f diagnose.Figure) string {
	switch f.Unit {
	case "bytes":
		return bytesText(f.Value)
	case "bytes/s":
		return bytesText(f.Value) + "/s"
	case "bytes/hour":
		return bytesText(f.Value) + "/h"
	case "fraction":
		return share(f.Value)
	}
	s := strconv.FormatFloat(f.Value, 'f', -1, 64)
	if math.Abs(f.Value) >= 1000 || f.Value != math.Trunc(f.Value) {
		s = benchunit.Scale(f.Value, benchunit.Decimal)
	}
	return strings.TrimSpace(s + " " + strings.TrimPrefix(f.Unit, "count")) // what is counted is the figure's name
}

// growth writes a slope with its interval.
func growth(g *diagnose.Growth) string {
	if g == nil {
		return "–"
	}
	return fmt.Sprintf("%s/h [%s, %s]", bytesText(g.PerHour), bytesText(g.Low), bytesText(g.High))
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

// short leaves the import path's folders out of a function's name.
func short(function string) string {
	head, tail, generic := strings.Cut(function, "[")
	head = head[strings.LastIndexByte(head, '/')+1:]
	if generic {
		return head + "[" + tail
	}
	return head
}
