package view

import (
	"embed"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/fix"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/report/plot"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/webpage"
)

// HTML writes the changes as one file that loads nothing: each with its measured effects,
// its proof and its diff.
func HTML(w io.Writer, d *fix.Document) error { return page.ExecuteTemplate(w, "page.html", d) }

// effectTable is the decided effects of a change, on one axis.
type effectTable struct {
	Scale template.HTML
	Rows  []effectRow
}

type effectRow struct {
	Benchmark, Metric, Change, Interval string

	Plot template.HTML
}

// effects returns nil where nothing was decided.
func effects(c fix.Change) *effectTable {
	if c.Gain == nil || len(c.Gain.Better)+len(c.Gain.Worse) == 0 {
		return nil
	}
	all := slices.Concat(c.Gain.Better, c.Gain.Worse)
	var ratios []float64
	for _, e := range all {
		ratios = append(ratios, e.Low, e.High)
	}
	axis := plot.NewAxis(ratios)
	t := &effectTable{Scale: axis.Scale()}
	for i, e := range all {
		shape := "better"
		if i >= len(c.Gain.Better) {
			shape = "worse"
		}
		t.Rows = append(t.Rows, effectRow{
			Benchmark: e.Benchmark, Metric: sample.Lookup(e.Metric).Title,
			Change: format.Change(e.Ratio), Interval: format.Interval(e.Low, e.High),
			Plot: axis.Row(plot.Interval{Ratio: e.Ratio, Low: e.Low, High: e.High, Shape: shape}),
		})
	}
	return t
}

// diff marks the lines that a patch removes and adds.
func diff(patch string) template.HTML {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\n")
		element := ""
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		case strings.HasPrefix(line, "+"):
			element = "ins"
		case strings.HasPrefix(line, "-"):
			element = "del"
		}
		text := template.HTMLEscapeString(termtext.HarmlessLines(line))
		if element != "" {
			text = "<" + element + ">" + text + "</" + element + ">"
		}
		b.WriteString(text + "\n")
	}
	return template.HTML(b.String())
}

//go:embed page
var files embed.FS

var style = webpage.Style() + string(flame.ClassStyle()) + plot.Style() + webpage.File(files, "page/page.css")

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"style":  func() template.CSS { return template.CSS(style) },
	"script": func() template.JS { return template.JS(webpage.Script()) },
	"policy": func() string {
		return webpage.Policy([]string{webpage.Hash(style)}, []string{webpage.Hash(webpage.Script())})
	},
	"symbols": plot.Symbols, "plain": termtext.Harmless, "code": termtext.HarmlessLines, "diff": diff, "effects": effects,
	"number":   func(i int) int { return i + 1 },
	"estimate": func(c fix.Change) string { return format.RoughRange(c.Estimate.Low, c.Estimate.High) },
	"cpu": func(g *fix.Gain) string {
		if ratio := g.Geomean[sample.Primary]; ratio > 0 {
			return format.Change(ratio)
		}
		return "–"
	},
}).ParseFS(files, "page/*.html"))
