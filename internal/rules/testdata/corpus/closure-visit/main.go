// A walk over rows that hands a closure to a stored function.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type store struct {
	rows [][]int
	each func(rows []int, visit func(int))
}

func (s *store) above(limit int) int {
	n := 0
	for _, r := range s.rows {
		s.each(r, func(v int) { // want: closure
			if v > limit {
				n++
			}
		})
	}
	return n
}

var total int

func main() {
	s := &store{rows: make([][]int, 500)}
	for i := range s.rows {
		s.rows[i] = []int{i, i * 2, i * 3}
	}
	s.each = func(rows []int, visit func(int)) {
		for _, v := range rows {
			visit(v)
		}
	}
	harness.Run(func() { total += s.above(100) })
}
