package truth

import (
	"bytes"
	"maps"
	"text/template"

	"golang.org/x/tools/txtar"
)

// Inputs are the files of our own that a run reads, by name. The module's archive has them,
// or a template in it, inputs.tmpl, which makes another archive of them.
func (m *Module) Inputs() map[string]string {
	files := maps.Clone(m.inputs)
	var made bytes.Buffer
	if err := template.Must(template.New(m.Name).Parse(m.template)).Execute(&made, nil); err != nil {
		panic(err) // it is compiled in
	}
	for _, f := range txtar.Parse(made.Bytes()).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}
