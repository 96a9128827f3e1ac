package report

import (
	"math"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/report/plot"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
)

// tradeoff shows the price in memory of the CPU that each mode saves.
type tradeoff struct {
	Wide, Narrow figure
	Rows         []tradeoffRow
}

type tradeoffRow struct {
	Mode, CPU, RSS string
	Front          bool
}

func (g *grid) tradeoff(section *section) *tradeoff {
	points := []plot.Point{{Name: termtext.Harmless(g.Baseline), X: 1, Y: 1, Shape: "baseline"}}
	for _, mode := range g.candidates {
		s := g.summaries[mode]
		x, okX := s.Geomean[sample.Primary]
		y, okY := s.Geomean[sample.PeakRSS]
		if okX && okY && x > 0 && y > 0 && math.Max(x, y) < math.MaxFloat64 && !section.full() {
			points = append(points, plot.Point{Name: termtext.Harmless(mode), X: x, Y: y,
				Shape: decisionShape(s.Decision)})
		}
	}
	if len(points) < 2 {
		return nil
	}
	s := plot.Scatter{Points: points, XTitle: title(sample.Primary) + ", change",
		YTitle: title(sample.PeakRSS) + ", change", Width: 980, Height: 440}
	t := &tradeoff{Wide: s.SVG()}
	s.Width, s.Height = 358, 380 // a phone of 390 px less the page's margins
	t.Narrow = s.SVG()
	for i, on := range plot.Front(points) {
		p := points[i]
		t.Rows = append(t.Rows, tradeoffRow{Mode: p.Name, CPU: format.Change(p.X), RSS: format.Change(p.Y), Front: on})
	}
	return t
}
