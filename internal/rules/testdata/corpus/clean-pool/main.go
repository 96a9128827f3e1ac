// Answers are compressed by writers from a pool.
package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"sync"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

func compress(w io.Writer, text []byte) error {
	zw := writers.Get().(*gzip.Writer)
	defer writers.Put(zw)
	zw.Reset(w)
	if _, err := zw.Write(text); err != nil {
		return err
	}
	return zw.Close()
}

func main() {
	text := bytes.Repeat([]byte("hello, gzip. "), 200)
	harness.Run(func() {
		if err := compress(io.Discard, text); err != nil {
			panic(err)
		}
	})
}
