// Millions of records, each a pointer in a map, outlive everything else.
package main

import (
	"strconv"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type record struct {
	name  *string
	next  *record
	count int
}

func load(n int) *record {
	names := make([]string, 100)
	for i := range names {
		names[i] = "name-" + strconv.Itoa(i)
	}
	var head *record
	for i := range n {
		head = &record{&names[i%100], head, i} // want: pointer-heap
	}
	return head
}

func page(r *record, n int) []int {
	ids := make([]int, 0, n)
	for ; r != nil && len(ids) < n; r = r.next {
		ids = append(ids, r.count)
	}
	return ids
}

var total int

func main() {
	head := load(1 << 20)
	harness.Run(func() { total += len(page(head, 8000)) })
}
