package smallset

import (
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

const articles = 50_000

// stock says in which of thirty warehouses an article is. The first have most.
func stock() []uint16 {
	r := rand.New(rand.NewPCG(7, 1))
	s := make([]uint16, articles)
	for i := range s {
		s[i] = uint16(min(r.ExpFloat64()*6, 29))
	}
	return s
}

// orders are of companies: few lines are rare.
func orders(seed uint64, n int) [][]line {
	r := rand.New(rand.NewPCG(7, seed))
	all := make([][]line, n)
	for i := range all {
		lines := make([]line, 1+min(int(r.ExpFloat64()*16), 60))
		for j := range lines {
			lines[j] = line{article: r.Uint32N(articles), quantity: 1 + r.Int32N(5),
				grams: 10 + int32(r.ExpFloat64()*800)}
		}
		all[i] = lines
	}
	return all
}

// BenchmarkFreight takes the orders of a day by 1,000.
func BenchmarkFreight(b *testing.B) {
	const batch = 1000
	stock, day := stock(), orders(2, 10*batch)
	freight := cure.Built(before, after)
	b.ReportAllocs()
	at := 0
	for b.Loop() {
		freight(day[at:at+batch], stock)
		at = (at + batch) % len(day)
	}
}

func TestSame(t *testing.T) {
	stock := stock()
	costs := map[cost]bool{}
	for seed := range uint64(50) {
		some := orders(seed, 20)
		lines := 0
		for _, o := range some {
			lines += len(o)
		}
		a, b := before(some, stock), after(some, stock)
		if a != b {
			t.Errorf("orders %d: %v before, %v after", seed, a, b)
		}
		if a.parcels < 20 || a.parcels >= lines {
			t.Errorf("orders %d: %d parcels of %d lines", seed, a.parcels, lines)
		}
		costs[a] = true
	}
	if len(costs) != 50 {
		t.Errorf("50 lists of orders have %d costs", len(costs))
	}
	two := [][]line{{{0, 1, 50}, {1, 1, 60}, {2, 1, 29_000}}, {{1, 4, 10_000}}}
	if got := after(two, []uint16{4, 9, 4}); got != (cost{3, 3*290 + 9 + 9 + 900 + 900}) {
		t.Errorf("two orders cost %v", got)
	}
}
