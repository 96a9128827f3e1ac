package hashtext

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

func keys(n int) []string {
	r := rand.New(rand.NewPCG(12, 1))
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("customers/%08d/orders/%06d/lines/%d", r.IntN(1e8), r.IntN(1e6), r.IntN(100))
	}
	return all
}

func BenchmarkSpread(b *testing.B) {
	all, shards := keys(1000), make([]int, 64)
	run := cure.Built[spread](before, after)
	b.ReportAllocs()
	for b.Loop() {
		run(all, shards)
	}
}

func TestSame(t *testing.T) {
	all := keys(2000)
	a, b := make([]int, 16), make([]int, 16)
	before(all, a)
	after(all, b)
	if !slices.Equal(a, b) || slices.Contains(a, 0) {
		t.Errorf("%v before, %v after", a, b)
	}
}
