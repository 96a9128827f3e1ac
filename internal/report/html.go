package report

import (
	"embed"
	"html/template"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/plain"
	"github.com/heapwright/heapwright/internal/result"
)

var _ = register(func(g *grid) []file {
	return []file{{"report.html", g.html}}
})

// HTML writes the report as one file that loads nothing.
func HTML(w io.Writer, doc *result.Document) error { return newGrid(doc).html(w) }

func (g *grid) html(w io.Writer) error { return pageTemplate.ExecuteTemplate(w, "page.html", g.page()) }

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.New("").Funcs(template.FuncMap{
	"style":     func() template.CSS { return template.CSS(pageFile("page.css")) },
	"script":    func() template.JS { return template.JS(pageFile("page.js")) },
	"policy":    policy,
	"breakable": breakable,
}).ParseFS(pageFiles, "page/*.html"))

func pageFile(name string) string {
	data, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err) // it is a part of the binary
	}
	return string(data)
}

// policy lets the page use its own style and script.
func policy() string {
	return plain.Policy([]string{plain.Hash(pageFile("page.css"))}, []string{plain.Hash(pageFile("page.js"))})
}

// breakable lets a mode's name wrap between its settings rather than anywhere.
func breakable(name string) template.HTML {
	return template.HTML(afterSetting.Replace(template.HTMLEscapeString(name)))
}

var afterSetting = strings.NewReplacer("+", "+<wbr>", ",", ",<wbr>")
