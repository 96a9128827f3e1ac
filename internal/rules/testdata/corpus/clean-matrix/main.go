// Numbers only: nothing is allocated.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

const n = 96

type matrix [n][n]float64

func (m *matrix) mul(a, b *matrix) {
	for i := range n {
		for j := range n {
			s := 0.0
			for k := range n {
				s += a[i][k] * b[k][j]
			}
			m[i][j] = s / n
		}
	}
}

func main() {
	var a, b, c matrix
	for i := range n {
		for j := range n {
			a[i][j], b[i][j] = float64(i+j), float64(i-j)
		}
	}
	harness.Run(func() {
		c.mul(&a, &b)
		a, c = c, a
	})
}
