package boundedcache

import (
	"math/rand/v2"
	"testing"
)

const (
	regulars  = 2000    // visitors who come back
	strangers = 100_000 // those of the past, who do not
)

var variants = []struct {
	name     string
	newCache func() cache
}{
	{"before", func() cache { return before{} }},
	{"after", func() cache { return newAfter() }},
}

// BenchmarkPage serves regulars, after a past of many strangers. An operation
// is a thousand pages.
func BenchmarkPage(b *testing.B) {
	for _, v := range variants {
		b.Run(v.name, func(b *testing.B) {
			c := v.newCache()
			for id := range strangers {
				page(c, regulars+id)
			}
			for id := range regulars {
				page(c, id)
			}
			r := rand.New(rand.NewPCG(1, 1))
			b.ReportAllocs()
			for b.Loop() {
				for range 1000 {
					page(c, r.IntN(regulars))
				}
			}
		})
	}
}

func TestSame(t *testing.T) {
	a, b := before{}, newAfter()
	for i := range 3 * remembered {
		id := i * 7919 % (2 * remembered)
		if x, y := page(a, id), page(b, id); x != y {
			t.Fatalf("visitor %d: %q before, %q after", id, x, y)
		}
	}
	if len(a) <= remembered || b.Len() > remembered {
		t.Errorf("%d remembered before, %d after: want more and at most %d", len(a), b.Len(), remembered)
	}
}
