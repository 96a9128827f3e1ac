package plot

import (
	"html/template"
	"math"
	"strconv"
	"strings"
)

// Size of a small multiple, in its own units: a step per block and so many
// from bottom to top. The page stretches it.
const (
	Step   = 8
	Height = 100
)

// Range is the span of values that the small multiples of one row share.
type Range struct{ Low, High float64 }

// Sample is a value of a block, which is counted from 0.
type Sample struct {
	Block int
	Value float64
}

func (s Sample) finite() bool { return !math.IsNaN(s.Value) && !math.IsInf(s.Value, 0) }

// RangeOf returns the span of all finite values. It is at least a twentieth of
// their middle, so that rounding and noise do not look like mountains.
func RangeOf(series ...[]Sample) Range {
	r := Range{math.Inf(1), math.Inf(-1)}
	for _, samples := range series {
		for _, s := range samples {
			if s.finite() {
				r.Low, r.High = min(r.Low, s.Value), max(r.High, s.Value)
			}
		}
	}
	if r.Low > r.High {
		return Range{0, 1}
	}
	middle := r.Low/2 + r.High/2
	half := max((r.High/2 - r.Low/2), math.Abs(middle)/40, math.SmallestNonzeroFloat64)
	return Range{middle - half, middle + half}
}

// Line returns the path of a series, a point per block, in their order. A block
// without a sample breaks the line. A lone point is drawn by its round cap.
func (r Range) Line(samples []Sample) template.HTMLAttr {
	var b strings.Builder
	next, last := -1, 0 // the block that continues the line, and the height so far
	for _, s := range samples {
		if !s.finite() {
			continue
		}
		y := r.height(s.Value)
		if s.Block != next {
			b.WriteString("M" + strconv.Itoa(s.Block*Step+Step/2) + " " + strconv.Itoa(y) + "h0")
		} else if y == last {
			b.WriteString("h" + strconv.Itoa(Step))
		} else {
			b.WriteString("l" + strconv.Itoa(Step))
			if y > last {
				b.WriteByte(' ') // a minus sign separates by itself
			}
			b.WriteString(strconv.Itoa(y - last))
		}
		next, last = s.Block+1, y
	}
	return template.HTMLAttr(`d="` + b.String() + `"`)
}

// height returns the distance from the top, with a margin for the stroke.
func (r Range) height(v float64) int {
	const margin = 6
	part := (v/2 - r.Low/2) / (r.High/2 - r.Low/2) // halves cannot overflow
	part = max(0, min(part, 1))
	return int(math.Round(Height - margin - part*(Height-2*margin)))
}
