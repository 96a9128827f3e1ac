// A page is rendered into a new buffer for every request.
package main

import (
	"bytes"
	"io"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type row struct{ name, value string }

func render(w io.Writer, rows []row) error {
	var b bytes.Buffer
	for _, r := range rows {
		b.WriteString(r.name) // want: request-buffer
		b.WriteByte('=')
		b.WriteString(r.value)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func main() {
	rows := make([]row, 300)
	for i := range rows {
		rows[i] = row{"a-name-of-some-length", "and its value"}
	}
	harness.Run(func() {
		if err := render(io.Discard, rows); err != nil {
			panic(err)
		}
	})
}
