// Rows are turned into columns, each grown from nothing.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type table struct{ columns [8][]float64 }

func transpose(rows [][8]float64) *table {
	t := &table{}
	for _, row := range rows {
		for i, v := range row {
			t.columns[i] = append(t.columns[i], v) // want: append-without-room
		}
	}
	return t
}

var sum float64

func main() {
	rows := make([][8]float64, 3000)
	for i := range rows {
		for j := range rows[i] {
			rows[i][j] = float64(i * j)
		}
	}
	harness.Run(func() {
		for _, c := range transpose(rows).columns {
			sum += c[len(c)-1]
		}
	})
}
