// An index by name is built without its size for every batch.
package main

import (
	"strconv"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type item struct {
	name  string
	price int
}

func index(items []item) map[string]int {
	m := make(map[string]int)
	for i, it := range items {
		m[it.name] = i // want: map-without-size
	}
	return m
}

var found int

func main() {
	items := make([]item, 5000)
	for i := range items {
		items[i] = item{"item-" + strconv.Itoa(i), i}
	}
	harness.Run(func() {
		m := index(items)
		for i := 0; i < len(items); i += 7 {
			found += m[items[i].name]
		}
	})
}
