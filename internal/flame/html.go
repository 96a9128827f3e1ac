package flame

import (
	"embed"
	"html/template"
	"io"
	"path"
	"strings"
	"sync"

	"github.com/heapwright/heapwright/internal/plain"
)

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.New("").ParseFS(pageFiles, "page/*.html"))

// Style returns what a page that holds fragments needs in a style element,
// once. All its rules are below .flame.
func Style() template.CSS { return template.CSS(pageFile("flame.css")) }

// Script returns what such a page needs in a script element at its end, once. It
// touches nothing but the fragments, and adds nothing to the page's globals.
func Script() template.JS { return script() }

var script = sync.OnceValue(func() template.JS {
	names, err := pageFiles.ReadDir("page")
	if err != nil {
		panic(err) // it is a part of the binary
	}
	var b strings.Builder
	b.WriteString("(() => {\n\"use strict\";\n")
	for _, f := range names {
		if path.Ext(f.Name()) == ".js" && f.Name() != "mount.js" {
			b.WriteString(pageFile(f.Name()))
		}
	}
	b.WriteString(pageFile("mount.js")) // it begins the work, so it comes last
	b.WriteString("})();\n")
	return template.JS(b.String())
})

// Fragment returns the graph as an element for another page, which has to hold
// Style and Script too. Beside the script that may run there by its hash, a
// policy need not allow anything. The element takes a CustomEvent "flame-search"
// whose detail is a regular expression, so that the page around can point at a
// function.
func (t *Tree) Fragment() (template.HTML, error) {
	packed, err := t.packed()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := pageTemplate.ExecuteTemplate(&b, "fragment.html", map[string]any{"Title": t.Title, "Data": template.HTML(packed)}); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil
}

// WriteHTML writes the graph as a page of its own: one file that loads nothing.
func (t *Tree) WriteHTML(w io.Writer) error {
	fragment, err := t.Fragment()
	if err != nil {
		return err
	}
	style := template.CSS(pageFile("page.css")) + Style()
	return pageTemplate.ExecuteTemplate(w, "page.html", map[string]any{
		"Title": t.Title, "Fragment": fragment, "Style": style, "Script": Script(),
		"Policy": plain.Policy([]string{plain.Hash(string(style))}, []string{plain.Hash(string(Script()))}),
	})
}

func pageFile(name string) string {
	data, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err) // it is a part of the binary
	}
	return string(data)
}
