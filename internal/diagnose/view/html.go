package view

import (
	"embed"
	"html/template"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/webpage"
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

// shown is the data of the template.
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
	"style":    func() template.CSS { return template.CSS(style) },
	"policy":   policy,
	"flames":   func() template.CSS { return flame.Style() },
	"script":   func() template.JS { return template.JS(script) },
	"drawing":  func() template.JS { return flame.Script() },
	"spending": Spending,
	"holding":  holding,
	"plain":    termtext.Harmless,
	"lines":    harmlessLines,
	"share":    Share,
	"deref":    func(v *float64) float64 { return *v },
	"between":  Between,
	"saving":   Saving,
	"bytes":    func(v float64) string { return unbroken(format.Bytes(v)) },
	"growth":   growth,
	"counted":  counted,
	"tally":    firstLast,
	"figure":   func(f rules.Figure) string { return unbroken(figure(f)) },
	"place":    place,
	"short":    func(s string) string { return termtext.Harmless(profile.ShortName(s)) },
	"exactly":  func(v float64) evidence.Range { return evidence.Range{Low: v, High: v} },
	"percent":  func(v float64) float64 { return 100 * v },
	"priced":   priced,
	"others":   func(f rules.Finding) string { return termtext.Harmless(others(&f)) },
	"words":    func(l rules.LibraryLine) string { return termtext.Harmless(lineWords(&l)) },
	"calls":    func(l *rules.LibraryLine) string { return termtext.Harmless(versions([]rules.LibraryLine{*l})) },
	"version":  func(all []rules.LibraryLine) string { return termtext.Harmless(versions(all)) },
	"count":    format.Plural,
	"inc":      func(i int) int { return i + 1 },
}).ParseFS(files, "page/*.html"))

var (
	style  = webpage.Style() + string(flame.ClassStyle()) + pageFile("page.css")
	script = webpage.Script() + pageFile("page.js")
)

func pageFile(name string) string { return webpage.File(files, "page/"+name) }

// policy lets the page use its own styles and script.
func policy() string {
	return webpage.Policy([]string{webpage.Hash(style), webpage.Hash(string(flame.Style()))},
		[]string{webpage.Hash(script), webpage.Hash(string(flame.Script()))})
}

// harmlessLines makes each line of a text harmless, with four spaces for a tab.
func harmlessLines(s string) string {
	return termtext.HarmlessLines(strings.ReplaceAll(s, "\t", "    "))
}
