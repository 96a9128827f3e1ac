// A large table is made at the start, in one piece, and then only read.
package main

import (
	"strconv"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type entry struct {
	name  string
	price int
}

func load(n int) map[string]entry {
	m := make(map[string]entry, n)
	for i := range n {
		name := "product-" + strconv.Itoa(i)
		m[name] = entry{name, i % 997}
	}
	return m
}

var total int

func main() {
	m := load(100_000)
	names := make([]string, 0, 1000)
	for name := range m {
		if names = append(names, name); len(names) == cap(names) {
			break
		}
	}
	harness.Run(func() {
		for _, name := range names {
			total += m[name].price
		}
	})
}
