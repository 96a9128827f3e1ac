package embedded

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// market returns n quotes, some of them with their sides mixed up.
func market(seed uint64, n int) []row {
	r := rand.New(rand.NewPCG(seed, 3))
	rows := make([]row, n)
	for i := range rows {
		bid := 1 + r.Int64N(1_000_000)
		ask := bid + int64(r.ExpFloat64()*float64(bid)/1000)
		if r.IntN(50) == 0 {
			bid, ask = ask, bid
		}
		rows[i] = row{symbol: fmt.Sprintf("SYM%d", i), bid: bid, ask: ask,
			bidSize: r.Int32N(1000), askSize: r.Int32N(1000), venue: uint16(r.IntN(20))}
	}
	return rows
}

// BenchmarkSnapshot makes a book and asks it and the older ones, of which a
// service keeps the latest.
func BenchmarkSnapshot(b *testing.B) {
	const quotes, kept = 3000, 60
	markets := make([][]row, 4)
	for i := range markets {
		markets[i] = market(uint64(i), quotes)
	}
	books := make([]book, kept)
	build := cure.Built(before, after)
	for i := range books {
		books[i] = build(markets[i%len(markets)])
	}
	b.ReportAllocs()
	n := 0
	var sum int
	for b.Loop() {
		books[n%kept] = build(markets[n%len(markets)])
		sum += len(books[(n+kept/2)%kept].widest())
		n++
	}
	if sum == 0 {
		b.Error("the widest quotes have no symbols")
	}
}

func TestSame(t *testing.T) {
	symbols := map[string]bool{}
	for seed := range uint64(20) {
		rows := market(seed, 100+int(seed))
		a, b := before(rows), after(rows)
		for i := range rows {
			if a.spread(i) != b.spread(i) || a.spread(i) < 0 {
				t.Errorf("market %d, quote %d: %d before, %d after", seed, i, a.spread(i), b.spread(i))
			}
		}
		if a.widest() != b.widest() {
			t.Errorf("market %d: %s before, %s after", seed, a.widest(), b.widest())
		}
		symbols[b.widest()] = true
	}
	if len(symbols) < 10 {
		t.Errorf("20 markets have the widest quotes %v", symbols)
	}
}
