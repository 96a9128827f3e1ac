// Small slices are sorted through reflection.
package main

import (
	"sort"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type score struct {
	name   string
	points int
}

func best(scores []score) score {
	sort.Slice(scores, func(i, j int) bool { return scores[i].points > scores[j].points }) // want: formatting
	return scores[0]
}

var total int

func main() {
	var rounds [64][4]score
	n := uint32(1)
	harness.Run(func() {
		for i := range rounds {
			for j := range rounds[i] {
				n = n*1664525 + 1013904223
				rounds[i][j] = score{"player", int(n >> 16)}
			}
			total += best(rounds[i][:]).points
		}
	})
}
