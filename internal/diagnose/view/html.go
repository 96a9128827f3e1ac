package view

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/plain"
)

// HTML writes a diagnosis as one file that loads nothing. flame is markup to
// stand between the findings and the tables, made and escaped by who calls, with
// its style in attributes: the page's policy lets no other style and no script
// run. "" leaves the place out.
func HTML(w io.Writer, d *diagnose.Document, flame template.HTML) error {
	return page.ExecuteTemplate(w, "page.html", shown{d, flame})
}

// shown is what the template sees.
type shown struct {
	*diagnose.Document
	Flame template.HTML
}

//go:embed page
var files embed.FS

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"style":   func() template.CSS { return template.CSS(style) },
	"policy":  policy,
	"plain":   plain.Harmless,
	"share":   share,
	"deref":   func(v *float64) float64 { return *v },
	"between": between,
	"bytes":   bytesText,
	"growth":  growth,
	"figure":  figure,
	"place":   place,
	"short":   func(s string) string { return plain.Harmless(short(s)) },
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

// policy lets the page use its own style and nothing else: should a profile's
// text ever become markup, it could neither run nor load anything.
func policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
