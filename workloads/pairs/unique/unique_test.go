package unique

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

func followers(seed uint64, accounts int) [][]uint32 {
	r := rand.New(rand.NewPCG(15, seed))
	all := make([][]uint32, accounts)
	for i := range all {
		all[i] = make([]uint32, 10+r.IntN(60))
		for j := range all[i] {
			all[i][j] = uint32(r.ExpFloat64() * 500)
		}
	}
	return all
}

func BenchmarkMerge(b *testing.B) {
	lists := make([][][]uint32, 50)
	for i := range lists {
		lists[i] = followers(uint64(i), 1+i%12)
	}
	run := cure.Built[merge](before, after)
	b.ReportAllocs()
	var to []uint32
	n := 0
	for b.Loop() {
		to = run(to[:0], lists[n%len(lists)])
		n++
	}
}

func TestSame(t *testing.T) {
	for seed := range uint64(20) {
		all := followers(seed, 5)
		a, b := before([]uint32{9}, all), after([]uint32{9}, all)
		if !slices.Equal(a, b) || len(a) < 50 || a[0] != 9 {
			t.Errorf("%v before, %v after", a, b)
		}
	}
}
