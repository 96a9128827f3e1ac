// Requests that allocate a little each and work a lot.
package main

import (
	"hash/crc32"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type response struct {
	sum    uint32
	status int
}

func handle(body []byte) *response {
	sum := uint32(0)
	for range 8 {
		sum ^= crc32.ChecksumIEEE(body)
		for i, c := range body {
			sum += uint32(c) * uint32(i)
		}
	}
	return &response{sum, 200}
}

var last *response

func main() {
	body := make([]byte, 16<<10)
	for i := range body {
		body[i] = byte(i * 7)
	}
	harness.Run(func() { last = handle(body) })
}
