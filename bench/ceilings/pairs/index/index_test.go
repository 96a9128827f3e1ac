package index

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heapwright/heapwright/bench/ceilings/pairs"
)

const articles = 100_000

func fill(t table) {
	for a := range uint64(articles) {
		t.set(a*a, int64(a))
	}
}

// BenchmarkQuote answers a thousand questions for 16 prices each.
func BenchmarkQuote(b *testing.B) {
	t := pairs.Built(newBefore, newAfter)()
	fill(t)
	r := rand.New(rand.NewPCG(1, 1))
	var question [16]uint64
	b.ReportAllocs()
	for b.Loop() {
		for range 1000 {
			for i := range question {
				a := r.Uint64N(articles)
				question[i] = a * a
			}
			quote(t, question[:])
		}
	}
}

func TestSame(t *testing.T) {
	a, b := newBefore(), newAfter()
	fill(a)
	fill(b)
	a.set(9, 77)
	b.set(9, 77)
	question := []uint64{0, 1, 2, 3, 4, 9, (articles - 1) * (articles - 1), articles * articles}
	if x, y := quote(a, question), quote(b, question); !slices.Equal(x, y) || x[5].cents != 77 || x[7].known {
		t.Errorf("%v before, %v after", x, y)
	}
}
