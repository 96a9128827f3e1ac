// Answers are compressed by writers from a pool.
package main

import (
	"compress/gzip"
	"io"
	"strings"
	"sync"

	"github.com/heapwright/heapwright/internal/diagnose/testdata/corpus/harness"
)

var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

func compress(w io.Writer, text string) error {
	zw := writers.Get().(*gzip.Writer)
	defer writers.Put(zw)
	zw.Reset(w)
	if _, err := io.WriteString(zw, text); err != nil {
		return err
	}
	return zw.Close()
}

func main() {
	text := strings.Repeat("hello, gzip. ", 200)
	harness.Run(func() {
		if err := compress(io.Discard, text); err != nil {
			panic(err)
		}
	})
}
