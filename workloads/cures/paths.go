package cures

import "github.com/heapwright/heapwright/workloads/program/cure"

// paths walks a grid from every cell to its corner. The faulty one makes a list
// of points for each walk; the cured one overwrites the last list.
type paths struct {
	grid  [64][64]uint8
	steps []*point
	free  []point
	sum   int
}

type point struct {
	x, y int
	from *point
}

func newPaths() *paths {
	p := &paths{free: make([]point, 0, 256)}
	x := uint32(1)
	for i := range p.grid {
		for j := range p.grid[i] {
			x = x*1664525 + 1013904223 // Numerical Recipes, "quick and dirty" generator
			p.grid[i][j] = uint8(x >> 24)
		}
	}
	return p
}

func (p *paths) walk(x, y int) {
	var at *point
	p.steps, p.free = p.steps[:0], p.free[:0]
	for x > 0 || y > 0 {
		var next *point
		if cure.Cured {
			p.free = append(p.free, point{x, y, at})
			next = &p.free[len(p.free)-1]
		} else {
			next = faultyPoint(x, y, at)
		}
		p.steps = append(p.steps, next)
		at = next
		if y == 0 || x > 0 && p.grid[x-1][y] < p.grid[x][y-1] {
			x--
		} else {
			y--
		}
		p.sum += int(p.grid[x][y])
	}
	for ; at != nil; at = at.from {
		p.sum += at.x ^ at.y
	}
}

//go:noinline
func faultyPoint(x, y int, from *point) *point { return &point{x, y, from} }
