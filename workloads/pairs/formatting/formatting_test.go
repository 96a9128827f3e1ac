package formatting

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

func calls() []call {
	r := rand.New(rand.NewPCG(1, 1))
	all := make([]call, 10_000)
	for i := range all {
		all[i] = call{fmt.Sprintf("service-%d", r.IntN(10)), fmt.Sprintf("/v1/orders/%d", r.IntN(20)), 200 + r.IntN(3)}
	}
	return all
}

func BenchmarkCount(b *testing.B) {
	all := calls()
	count := cure.Built(before, after)
	b.ReportAllocs()
	for b.Loop() {
		count(all)
	}
}

func TestSame(t *testing.T) {
	if a, b := before(calls()), after(calls()); a != b || a < 2 {
		t.Errorf("%d before, %d after", a, b)
	}
}
