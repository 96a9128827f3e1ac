// The body of every request is read into new memory.
package main

import (
	"bytes"
	"io"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func checksum(body io.Reader) (sum uint32, err error) {
	data, err := io.ReadAll(body) // want: request-buffer
	if err != nil {
		return 0, err
	}
	for _, c := range data[:100] {
		sum = sum*31 + uint32(c)
	}
	return sum, nil
}

var total uint32

func main() {
	body := bytes.Repeat([]byte("0123456789abcdef"), 1000)
	r := bytes.NewReader(body)
	harness.Run(func() {
		r.Reset(body)
		sum, err := checksum(r)
		if err != nil {
			panic(err)
		}
		total += sum
	})
}
