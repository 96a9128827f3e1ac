// Each connection gets a reader with a buffer of its own.
package main

import (
	"bufio"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func command(conn io.Reader) (byte, error) {
	r := bufio.NewReader(conn) // want: request-buffer
	c, err := r.ReadByte()
	if err != nil {
		return 0, err
	}
	_, err = r.Discard(3)
	return c, err
}

var seen [256]int

func main() {
	conn := strings.NewReader("")
	harness.Run(func() {
		for range 100 {
			conn.Reset("GET /index.html")
			c, err := command(conn)
			if err != nil {
				panic(err)
			}
			seen[c]++
		}
	})
}
