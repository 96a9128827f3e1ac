// The first word of each document is kept, and the document with it.
package main

import (
	"strings"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type catalog struct {
	titles [4096]string
	next   int
}

func (c *catalog) add(doc string) {
	end := strings.IndexByte(doc, '\n')
	c.titles[c.next%len(c.titles)] = doc[:end] // want: retention
	c.next++
}

func read(n int) string {
	var b strings.Builder
	b.Grow(8 << 10)
	b.WriteString("a title\n")
	for b.Len() < 8<<10-64 {
		b.WriteString("and a line of the text that follows it\n")
	}
	return b.String()
}

func main() {
	c := &catalog{}
	harness.Run(func() {
		c.add(read(c.next))
		for range 20 {
			spun += strings.Count(c.titles[0], "e")
		}
	})
}

var spun int
