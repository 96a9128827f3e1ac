package boundedcache

import (
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/bench/ceilings/pairs"
)

const (
	regulars  = 2000   // visitors who come back
	strangers = 30_000 // those of the past, who do not
)

// BenchmarkPage serves regulars, after a past of many strangers. An operation
// is a thousand pages.
func BenchmarkPage(b *testing.B) {
	c := pairs.Built(newBefore, newAfter)()
	for id := strangers + regulars - 1; id >= 0; id-- {
		c.add(id, newSession(id))
	}
	r := rand.New(rand.NewPCG(1, 1))
	b.ReportAllocs()
	for b.Loop() {
		for range 1000 {
			page(c, r.IntN(regulars))
		}
	}
}

func TestSame(t *testing.T) {
	a, b := newBefore(), newAfter()
	for i := range 3 * remembered {
		id := i * 7919 % (2 * remembered)
		if x, y := page(a, id), page(b, id); x != y {
			t.Fatalf("visitor %d: %q before, %q after", id, x, y)
		}
	}
	if n, m := len(a.(before)), b.(after).Len(); n <= remembered || m > remembered {
		t.Errorf("%d remembered before, %d after: want more than %d and at most that", n, m, remembered)
	}
}
