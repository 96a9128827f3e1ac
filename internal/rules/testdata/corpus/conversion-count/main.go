// Words are counted in a map whose key is made of bytes for every word.
package main

import (
	"bytes"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func count(text []byte, words map[string]int) {
	for len(text) > 0 {
		word, rest, _ := bytes.Cut(text, []byte{' '})
		words[string(word)]++ // want: string-conversion
		text = rest
	}
}

func main() {
	text := bytes.Repeat([]byte("the-quick-brown-fox jumps-over-a-lazy-dog and-then-there-is-more of-the-same-stuff-to-count "), 200)
	words := map[string]int{}
	harness.Run(func() { count(text, words) })
}
