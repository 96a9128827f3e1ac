// Small answers from a small table: hardly anything lives, and the collector never rests.
package main

import (
	"strings"

	"github.com/heapwright/heapwright/internal/diagnose/testdata/corpus/harness"
)

// want program: frequent-gc
type record struct {
	id   int
	tags map[string]bool
	next *record
}

func build(n int) (head *record) {
	for i := range n {
		head = &record{id: i, next: head}
		if i%4 == 0 {
			head.tags = map[string]bool{"even": true, strings.Repeat("x", i%9+1): true}
		}
	}
	return head
}

func (r *record) count() (n int) {
	for ; r != nil; r = r.next {
		n += len(r.tags) + r.id
	}
	return n
}

var total int

func main() {
	harness.Run(func() { total += build(200).count() })
}
