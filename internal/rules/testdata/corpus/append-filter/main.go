// A filter that collects its result without room.
package main

import (
	"math/rand/v2"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type order struct {
	id    int
	cents int64
	paid  bool
}

func unpaid(orders []order) []order {
	var open []order
	for _, o := range orders {
		if !o.paid {
			open = append(open, o) // want: append-without-room
		}
	}
	return open
}

var total int64

func main() {
	orders := make([]order, 2000)
	for i := range orders {
		orders[i] = order{i, rand.Int64N(10000), i%3 == 0}
	}
	harness.Run(func() {
		for _, o := range unpaid(orders) {
			total += o.cents
		}
	})
}
