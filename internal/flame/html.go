package flame

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"path"
	"strings"
	"sync"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/webpage"
)

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.New("").ParseFS(pageFiles, "page/*.html"))

// Style returns the style of fragments, which a page that holds them needs once in a
// style element. All its rules are below .flame.
func Style() template.CSS { return template.CSS(pageFile("flame.css")) }

// ClassStyle returns rules that give elements of the class "cost-N" the colour
// that the graphs have for cost class N.
func ClassStyle() template.CSS { return classStyle() }

var classStyle = sync.OnceValue(func() template.CSS {
	var b strings.Builder
	for _, c := range cost.Classes() {
		colour := fmt.Sprintf("light-dark(%s, %s)", light.classes[c].hex(), dark.classes[c].hex())
		fmt.Fprintf(&b, ".cost-%d { fill: %[2]s; background: %[2]s; }\n", c, colour)
	}
	return template.CSS(b.String())
})

// Script returns the script that such a page needs once at its end. It
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
	if err := pageTemplate.ExecuteTemplate(&b, "fragment.html",
		map[string]any{"Title": t.Title, "Data": template.HTML(packed)}); err != nil {
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
	style := template.CSS(webpage.Style()+pageFile("page.css")) + Style()
	script := template.JS(webpage.Script()) + Script()
	return pageTemplate.ExecuteTemplate(w, "page.html", map[string]any{
		"Title": t.Title, "Fragment": fragment, "Style": style, "Script": script,
		"Policy": webpage.Policy([]string{webpage.Hash(string(style))}, []string{webpage.Hash(string(script))}),
	})
}

func pageFile(name string) string { return webpage.File(pageFiles, "page/"+name) }
