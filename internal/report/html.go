package report

import (
	"embed"
	"html/template"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/report/plot"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/webpage"
)

func htmlFiles(g *grid) []file {
	return []file{{"report.html", g.html}}
}

// HTML writes the report as one file that loads nothing.
func HTML(w io.Writer, doc *result.Document) error { return newGrid(doc).html(w) }

func (g *grid) html(w io.Writer) error { return pageTemplate.ExecuteTemplate(w, "page.html", g.page()) }

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.New("").Funcs(template.FuncMap{
	"style":     func() template.CSS { return template.CSS(style) },
	"script":    func() template.JS { return template.JS(script) },
	"symbols":   plot.Symbols,
	"policy":    policy,
	"breakable": breakable,
}).ParseFS(pageFiles, "page/*.html"))

var (
	style  = webpage.Style() + plot.Style() + pageFile("page.css")
	script = webpage.Script() + pageFile("page.js")
)

func pageFile(name string) string { return webpage.File(pageFiles, "page/"+name) }

// policy lets the page use its own style and script.
func policy() string {
	return webpage.Policy([]string{webpage.Hash(style)}, []string{webpage.Hash(script)})
}

// breakable lets a mode's name wrap between its settings rather than anywhere.
func breakable(name string) template.HTML {
	return template.HTML(afterSetting.Replace(template.HTMLEscapeString(name)))
}

var afterSetting = strings.NewReplacer("+", "+<wbr>", ",", ",<wbr>")
