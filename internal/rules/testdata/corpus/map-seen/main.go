// A set of what was seen grows from nothing in every call.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func distinct(ids []uint32) int {
	seen := map[uint32]struct{}{}
	for _, id := range ids {
		seen[id] = struct{}{} // want: map-without-size
	}
	return len(seen)
}

var total int

func main() {
	ids := make([]uint32, 20000)
	for i := range ids {
		ids[i] = uint32(i*2654435761) % 9000
	}
	harness.Run(func() { total += distinct(ids) })
}
