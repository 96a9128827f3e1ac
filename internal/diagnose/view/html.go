package view

import (
	"embed"
	"html/template"
	"io"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/plain"
)

// HTML writes a diagnosis as one file that loads nothing, with a flame graph of
// each profile that the diagnosis holds.
func HTML(w io.Writer, d *diagnose.Document) error {
	s := shown{Document: d}
	for _, p := range d.Drawn {
		of, title := "memory", "Where memory is allocated, and what of it lives"
		if _, ok := p.Column("cpu"); ok {
			of, title = "CPU", "Which calls take CPU time"
		}
		tree, err := flame.New(p, flame.Options{Title: title, Source: flame.Files(d.Root)})
		if err != nil {
			continue // a profile without samples has no picture
		}
		fragment, err := tree.Fragment()
		if err != nil {
			return err
		}
		s.Flames = append(s.Flames, graph{of, title, fragment})
	}
	return page.ExecuteTemplate(w, "page.html", s)
}

// shown is what the template sees.
type shown struct {
	*diagnose.Document
	Flames []graph
}

type graph struct {
	Of, Title string
	Graph     template.HTML
}

//go:embed page
var files embed.FS

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"style":   func() template.CSS { return template.CSS(style) },
	"policy":  policy,
	"flames":  func() template.CSS { return flame.Style() },
	"script":  func() template.JS { return flame.Script() },
	"plain":   plain.Harmless,
	"share":   Share,
	"deref":   func(v *float64) float64 { return *v },
	"between": Between,
	"bytes":   func(v float64) string { return unbroken(bytesText(v)) },
	"growth":  growth,
	"figure":  func(f diagnose.Figure) string { return unbroken(figure(f)) },
	"place":   place,
	"short":   func(s string) string { return plain.Harmless(short(s)) },
	"exactly": func(v float64) diagnose.Range { return diagnose.Range{Low: v, High: v} },
	"percent": func(v float64) float64 { return 100 * v },
	"others":  func(all []diagnose.Finding) string { return plain.Harmless(others(all)) },
	"count":   count,
	"inc":     func(i int) int { return i + 1 },
}).ParseFS(files, "page/*.html"))

var style = func() string {
	data, err := files.ReadFile("page/page.css")
	if err != nil {
		panic(err) // it is a part of the binary
	}
	return string(data)
}()

// policy lets the page use its own styles and script.
func policy() string {
	return plain.Policy([]string{plain.Hash(style), plain.Hash(string(flame.Style()))}, []string{plain.Hash(string(flame.Script()))})
}
