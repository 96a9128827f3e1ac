package view

import (
	"bytes"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"

	"github.com/klauspost/compress/gzip"

	"github.com/heapwright/heapwright/internal/trace"
	"github.com/heapwright/heapwright/internal/webpage"
)

//go:embed page
var files embed.FS

var page = template.Must(template.New("").ParseFS(files, "page/*.html"))

// HTML writes the document as one file that loads nothing, with a timeline that
// can be zoomed.
func HTML(w io.Writer, d *trace.Document) error {
	picture, err := packed(d)
	if err != nil {
		return err
	}
	style := webpage.Style() + asset("page.css")
	script := webpage.Script() + "(() => {\n\"use strict\";\n" + asset("scale.js") + asset("paint.js") +
		asset("timeline.js") + "})();\n"
	return page.ExecuteTemplate(w, "page.html", map[string]any{
		"Doc": d, "Subject": subject(d), "Answer": Answer(d), "Tables": tables(d), "Classes": legend(),
		"Data": template.HTML(picture), "Style": template.CSS(style), "Script": template.JS(script),
		"Policy": webpage.Policy([]string{webpage.Hash(style)}, []string{webpage.Hash(script)}),
	})
}

// entry is a class in the legend of the picture.
type entry struct{ Class, Name string }

func legend() (all []entry) {
	for _, class := range trace.Classes {
		all = append(all, entry{string(class), names[class]})
	}
	return all
}

// packed is the picture's data: JSON, compressed, in base64, which cannot be
// taken for markup.
func packed(d *trace.Document) (string, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	err := json.NewEncoder(z).Encode(map[string]any{
		"duration": d.Duration, "procs": d.Procs, "classes": trace.Classes, "cycles": d.Cycles, "pauses": d.Pauses,
		"timeline": d.Timeline,
	})
	if err == nil {
		err = z.Close()
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), err
}

func asset(name string) string { return webpage.File(files, "page/"+name) }
