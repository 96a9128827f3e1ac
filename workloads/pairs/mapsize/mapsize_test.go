package mapsize

import (
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

func prices(seed uint64) []price {
	r := rand.New(rand.NewPCG(seed, 1))
	all := make([]price, 20_000)
	for i := range all {
		all[i] = price{uint64(i) * 7919, 100 + r.IntN(5)}
	}
	return all
}

func BenchmarkCompare(b *testing.B) {
	old, current := prices(1), prices(2)
	compare := cure.Built(before, after)
	b.ReportAllocs()
	for b.Loop() {
		compare(old, current)
	}
}

func TestSame(t *testing.T) {
	old, current := prices(1), prices(2)
	r1, f1 := before(old, current)
	r2, f2 := after(old, current)
	if r1 != r2 || f1 != f2 || r1 == 0 || f1 == 0 {
		t.Errorf("%d rose and %d fell before, %d and %d after", r1, f1, r2, f2)
	}
}
