package view

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/serve"
)

// The size of a curve's own coordinates.
const (
	curveWidth  = 600
	curveHeight = 90
)

// curve draws a figure over a window from zero up. Its ends and its peak stand below it
// as text, because the picture is stretched.
func curve(s serve.Series, w serve.Window) template.HTML {
	peak := 0.0
	for _, p := range s.Points {
		peak = max(peak, p.Value)
	}
	var path strings.Builder
	span := float64(max(1, w.To.Sub(w.From)))
	for i, p := range s.Points {
		command := "L"
		if i == 0 {
			command = "M"
		}
		x := float64(p.Time.Sub(w.From)) / span * curveWidth
		y := curveHeight - p.Value/max(peak, 1e-9)*(curveHeight-4)
		fmt.Fprintf(&path, "%s%.1f %.1f", command, x, y)
	}
	if len(s.Points) == 1 { // a line needs a second point
		path.WriteString("h1")
	}
	last := s.Points[len(s.Points)-1].Value
	write := func(v float64) string {
		if s.Unit == "bytes" {
			return format.Bytes(v)
		}
		return format.Digits(v)
	}
	name := template.HTMLEscapeString(s.Name)
	var b strings.Builder
	fmt.Fprintf(&b, `<figure class="curve" data-from="%d" data-to="%d">`, w.From.Unix(), w.To.Unix())
	fmt.Fprintf(&b, `<figcaption>%s <b>%s</b> <span class="soft">at most %s</span></figcaption>`,
		name, write(last), write(peak))
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" preserveAspectRatio="none" role="img" aria-label="%s over time">`,
		curveWidth, curveHeight, name)
	fmt.Fprintf(&b, `<path d="%s"/></svg>`, path.String())
	fmt.Fprintf(&b, `<p class="soft ends"><span>%s</span><span>%s</span></p></figure>`,
		w.From.UTC().Format("15:04:05"), w.To.UTC().Format("15:04:05 UTC"))
	return template.HTML(b.String())
}
