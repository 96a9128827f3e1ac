package plot

import (
	"fmt"
	"html/template"
	"strings"
)

// Interval is one row of a forest plot: an estimate with its interval.
type Interval struct {
	Ratio, Low, High float64
	Noise            float64 // δ: the band around no change, as a relative change
	Shape            string  // id of the page's symbol for the estimate; also the row's CSS class
}

// Row draws an interval along the axis. The caller must write the interval beside
// it as text, because screen readers skip the picture.
func (a Axis) Row(i Interval) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="fx %s" aria-hidden="true">`, i.Shape)
	left, _ := a.At(1 - i.Noise)
	right, _ := a.At(1 + i.Noise)
	fmt.Fprintf(&b, `<rect class="noise" x="%s" width="%s" height="100%%"/>`, percent(left), percent(right-left))
	zero, _ := a.At(1)
	fmt.Fprintf(&b, `<line class="zero" x1="%[1]s" x2="%[1]s" y2="100%%"/>`, percent(zero))
	low, cutLow := a.At(i.Low)
	high, cutHigh := a.At(i.High)
	fmt.Fprintf(&b, `<line class="ci" x1="%s" x2="%s" y1="50%%" y2="50%%"/>`, percent(low), percent(high))
	if cutLow && low == 0 {
		b.WriteString(`<use href="#to-left" y="50%"/>`)
	}
	if cutHigh && high == 1 {
		b.WriteString(`<use href="#to-right" x="100%" y="50%"/>`)
	}
	x, _ := a.At(i.Ratio)
	fmt.Fprintf(&b, `<use href="#%s" x="%s" y="50%%"/></svg>`, i.Shape, percent(x))
	return template.HTML(b.String())
}

// Scale draws the axis itself, for the head of a forest plot.
func (a Axis) Scale() template.HTML {
	var b strings.Builder
	b.WriteString(`<svg class="fx scale" aria-hidden="true">`)
	for _, t := range a.ticks(0.19) {
		class := ""
		if t.Minor {
			class = "minor "
		}
		if t.At < 0.06 {
			class += "first"
		} else if t.At > 0.94 {
			class += "last"
		}
		fmt.Fprintf(&b,
			`<g class="%s"><text x="%[2]s" y="12">%[3]s</text><line x1="%[2]s" x2="%[2]s" y1="17" y2="100%%"/></g>`,
			strings.TrimSpace(class), percent(t.At), t.Label)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}
