// A cache with a bound: what comes in throws out what is oldest.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

const most = 4096

type cache struct {
	values map[uint32]uint64
	order  [most]uint32
	next   int
}

func (c *cache) get(key uint32) uint64 {
	if v, ok := c.values[key]; ok {
		return v
	}
	delete(c.values, c.order[c.next])
	c.order[c.next] = key
	c.next = (c.next + 1) % most
	v := compute(key)
	c.values[key] = v
	return v
}

func compute(key uint32) (v uint64) {
	for i := range uint64(50) {
		v = v*31 + uint64(key) ^ i
	}
	return v
}

var total uint64

func main() {
	c := &cache{values: make(map[uint32]uint64, most)}
	n := uint32(1)
	harness.Run(func() {
		for range 1000 {
			n = n*1664525 + 1013904223
			total += c.get(n >> 19)
		}
	})
}
