// A gzip writer with its tables is made for every answer.
package main

import (
	"compress/gzip"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func compress(w io.Writer, text string) error {
	zw := gzip.NewWriter(w)
	if _, err := io.WriteString(zw, text); err != nil { // want: encoder
		return err
	}
	return zw.Close()
}

func main() {
	text := strings.Repeat("hello, gzip. ", 20)
	harness.Run(func() {
		if err := compress(io.Discard, text); err != nil {
			panic(err)
		}
	})
}
