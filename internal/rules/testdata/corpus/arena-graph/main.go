// A route is searched with a node on the heap for every step.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type step struct {
	x, y, cost int
	from       *step
}

const size = 64

func route(walls *[size][size]bool) int {
	var best [size][size]*step
	open := make([]*step, 0, size*size)
	open = append(open, &step{})
	for len(open) > 0 {
		s := open[0]
		open = open[1:]
		for _, d := range [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
			x, y := s.x+d[0], s.y+d[1]
			if x < 0 || y < 0 || x >= size || y >= size || walls[y][x] || best[y][x] != nil {
				continue
			}
			best[y][x] = &step{x, y, s.cost + 1, s} // want: short-lived
			open = append(open, best[y][x])
		}
	}
	if end := best[size-1][size-1]; end != nil {
		return end.cost
	}
	return -1
}

var total int

func main() {
	var walls [size][size]bool
	for i := 3; i < size; i += 7 {
		for j := range size - 1 {
			walls[i][(j+i%2)%size] = j%9 != 0
		}
	}
	harness.Run(func() { total += route(&walls) })
}
