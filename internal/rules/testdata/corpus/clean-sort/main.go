// Slices are kept, filled again and sorted by type.
package main

import (
	"cmp"
	"slices"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type score struct {
	player, points int
}

type board struct{ scores []score }

func (b *board) rank(points []int) score {
	b.scores = b.scores[:0]
	for i, p := range points {
		b.scores = append(b.scores, score{i, p})
	}
	slices.SortFunc(b.scores, func(x, y score) int { return cmp.Compare(y.points, x.points) })
	return b.scores[0]
}

var total int

func main() {
	var b board
	points := make([]int, 1000)
	n := uint32(1)
	harness.Run(func() {
		for i := range points {
			n = n*1664525 + 1013904223
			points[i] = int(n >> 8)
		}
		total += b.rank(points).points
	})
}
