// Words are counted by bytes, without a string for any but the first of each.
package main

import (
	"bytes"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type counter map[string]*int

func (c counter) count(text []byte) {
	for len(text) > 0 {
		word, rest, _ := bytes.Cut(text, []byte{' '})
		n, ok := c[string(word)]
		if !ok {
			n = new(int)
			c[string(word)] = n
		}
		*n++
		text = rest
	}
}

func main() {
	text := bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog "), 200)
	c := counter{}
	harness.Run(func() { c.count(text) })
}
