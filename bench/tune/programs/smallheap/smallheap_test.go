// Package smallheap holds little and churns much: an index of some 3 MB full of
// pointers, and answers that are garbage at once. At GOGC=100 the index is
// marked whole for every few megabytes. A heap floor, or a larger GOGC, is the
// best that can be done without code.
package smallheap

import "testing"

// entry is small and holds pointers, as most objects of a service do.
type entry struct {
	next, other *entry
	name        *string
	key         int
}

// answer is the result of a query: a list that is dropped at once.
type answer struct {
	next *answer
	of   *entry
}

const entries = 60_000

var (
	index = fill()
	last  *answer
)

func fill() []*entry {
	all := make([]*entry, entries)
	for i := range all {
		name := string(rune('a'+i%26)) + "."
		all[i] = &entry{key: i, name: &name, next: all[max(0, i-1)], other: all[i/2]}
	}
	return all
}

func query(from int) *answer {
	var head *answer
	for i := range 64 {
		head = &answer{head, index[(from+i)%entries]}
	}
	return head
}

func BenchmarkQuery(b *testing.B) {
	i := 0
	for b.Loop() {
		i++
		last = query(i)
	}
}
