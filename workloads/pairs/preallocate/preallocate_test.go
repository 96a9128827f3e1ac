package preallocate

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

func rows() []row {
	r := rand.New(rand.NewPCG(1, 1))
	var all []row
	for id := range 2000 {
		n := 1 + r.IntN(60)
		for range n {
			all = append(all, row{id, n, fmt.Sprintf("sku-%d", r.IntN(500)), 1 + r.IntN(20), 100 + r.IntN(5000)})
		}
	}
	return all
}

func BenchmarkGather(b *testing.B) {
	all := rows()
	gather := cure.Built(before, after)
	b.ReportAllocs()
	for b.Loop() {
		gather(all)
	}
}

func TestSame(t *testing.T) {
	all := rows()
	if !reflect.DeepEqual(before(all), after(all)) {
		t.Error("the orders differ")
	}
}
