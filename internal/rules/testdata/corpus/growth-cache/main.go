// A cache of rendered pages that nobody empties.
package main

import (
	"strconv"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type cache struct{ pages map[string][]byte }

func (c *cache) page(key string) []byte {
	if p, ok := c.pages[key]; ok {
		return p
	}
	p := make([]byte, 4096)
	copy(p, key)
	c.pages[key] = p // want: unbounded-growth
	return p
}

var total int

func main() {
	c := &cache{pages: map[string][]byte{}}
	n := 0
	harness.Run(func() {
		for i := range 1000 {
			if i%100 == 0 {
				n++
			}
			total += len(c.page("/page/" + strconv.Itoa(n)))
		}
	})
}
