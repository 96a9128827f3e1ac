// Package plot draws figures as inline SVG.
//
// It knows geometry and nothing of experiments. Colours and strokes are CSS
// classes, so that a figure follows the page into light and dark; positions
// along an axis are in percent where a figure has to follow the page's width,
// so that its text need not shrink with it.
package plot

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
)

// Axis is a logarithmic axis of ratios, with 1 in sight. A ratio beyond its
// end is drawn at the end.
type Axis struct{ low, high float64 } // natural logarithms

// beyond is the largest factor that an axis reaches to: one effect of a
// hundredfold must not squeeze all others to nothing.
const beyond = 5

// NewAxis returns an axis that holds the ratios and some air around them.
// Infinite and undefined ratios do not stretch it.
func NewAxis(ratios []float64) Axis {
	a := Axis{low: -0.02, high: 0.02} // so that noise does not fill the figure
	for _, r := range ratios {
		l := math.Log(r)
		if math.IsNaN(l) || math.IsInf(l, 0) || r == math.MaxFloat64 { // JSON's infinity
			continue
		}
		a.low, a.high = min(a.low, l), max(a.high, l)
	}
	end := math.Log(beyond)
	a.low, a.high = max(a.low, -end), min(a.high, end)
	air := 0.06 * (a.high - a.low)
	return Axis{a.low - air, a.high + air}
}

// At returns where a ratio lies, from 0 to 1, and whether it lies beyond the
// axis.
func (a Axis) At(ratio float64) (x float64, outside bool) {
	l := math.Log(max(ratio, 0))
	if math.IsNaN(l) {
		l = 0
	}
	x = (l - a.low) / (a.high - a.low)
	return max(0, min(x, 1)), x < 0 || x > 1
}

// Tick is a marked place of an axis.
type Tick struct {
	At    float64 // 0 to 1
	Label string  // "-20%", "0%", "+200%"
	Minor bool    // left out where the axis is short
}

// steps are the ratios that are worth a mark, the weightier first: of two that
// stand too close the first is kept.
var steps = []float64{1, 0.5, 2, 0.75, 1.5, 3, 0.25, 5, 0.9, 1.1, 1.25, 1.75, 0.6, 0.8, 0.35, 0.4, 0.95, 1.05,
	0.98, 1.02, 0.99, 1.01}

// ticks returns marks that are at least a distance apart, given as a part of
// the axis. Those that are not Minor are three times as far from each other.
func (a Axis) ticks(apart float64) []Tick {
	var ticks []Tick
	for _, r := range steps {
		x, outside := a.At(r)
		closer := func(distance float64, majorOnly bool) bool {
			return slices.ContainsFunc(ticks, func(t Tick) bool {
				return math.Abs(t.At-x) < distance && !(majorOnly && t.Minor)
			})
		}
		if !outside && !closer(apart, false) {
			ticks = append(ticks, Tick{x, tickLabel(r), closer(3*apart, true)})
		}
	}
	return ticks
}

// tickLabel writes a ratio as the tables do, but steps are whole percents.
func tickLabel(ratio float64) string { return strings.Replace(format.Change(ratio), ".0%", "%", 1) }

// number writes a coordinate with a tenth of precision and no more bytes than
// it needs; a report has tens of thousands of them.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0")
}

// percent writes a place on an axis as a length of SVG.
func percent(x float64) string { return number(100*x) + "%" }
