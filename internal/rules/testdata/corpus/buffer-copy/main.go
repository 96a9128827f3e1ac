// A proxy makes a copy buffer for every stream.
package main

import (
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func proxy(dst io.Writer, src io.Reader) (n int64, err error) {
	buf := make([]byte, 16<<10) // want: request-buffer
	for {
		k, err := src.Read(buf)
		if k > 0 {
			if _, err := dst.Write(buf[:k]); err != nil {
				return n, err
			}
			n += int64(k)
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

var copied int64

func main() {
	src := strings.NewReader("")
	text := strings.Repeat("some text to be sent ", 50)
	harness.Run(func() {
		src.Reset(text)
		n, err := proxy(io.Discard, src)
		if err != nil {
			panic(err)
		}
		copied += n
	})
}
