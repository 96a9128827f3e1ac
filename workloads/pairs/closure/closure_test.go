package closure

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

var countries = []string{"AT", "BE", "CH", "DE", "DK", "ES", "FR", "IT", "NL", "PL"}

// payments come about every tenth millisecond, and one in fifteen is a refund.
func payments(n int) rows {
	r := rand.New(rand.NewPCG(5, 1))
	all := make(rows, n)
	var at int64
	for i := range all {
		at += 1 + int64(r.ExpFloat64()*10)
		cents := 100 + int64(r.ExpFloat64()*5000)
		if r.IntN(15) == 0 {
			cents = -cents
		}
		all[i] = &payment{at: at, cents: cents, country: countries[r.IntN(len(countries))]}
	}
	return all
}

// lines have ranges that are mostly short.
func lines(n int, t rows) []line {
	r := rand.New(rand.NewPCG(5, 2))
	all := make([]line, n)
	for i := range all {
		from := r.Int64N(t[len(t)-1].at)
		all[i] = line{from: from, to: from + int64(r.ExpFloat64()*800)}
		if r.IntN(3) == 0 {
			all[i].country = countries[r.IntN(len(countries))]
		}
	}
	return all
}

// BenchmarkSum makes dashboards of the latest payments. The older ones are there.
func BenchmarkSum(b *testing.B) {
	t := payments(200_000)
	lines := lines(1000, t[:5000])
	latest := t[len(t)-5000:]
	for i := range lines {
		lines[i].from += latest[0].at
		lines[i].to += latest[0].at
	}
	results := make([]sums, len(lines))
	sum := cure.Built(before, after)
	b.ReportAllocs()
	for b.Loop() {
		sum(t, lines, results)
	}
}

func TestSame(t *testing.T) {
	p := payments(3000)
	some := append(lines(500, p), line{to: 1 << 40}, line{from: 1 << 40, to: 1 << 41})
	a, b := make([]sums, len(some)), make([]sums, len(some))
	before(p, some, a)
	after(p, some, b)
	if !slices.Equal(a, b) {
		t.Errorf("%v before, %v after", a, b)
	}
	different := map[sums]bool{}
	for _, s := range a {
		different[s] = true
	}
	if len(different) < 200 {
		t.Errorf("%d lines have %d results", len(some), len(different))
	}
	if all := a[500]; all.count != 3000 || all.refunded == 0 || a[501] != (sums{}) {
		t.Errorf("all payments: %v, none: %v", all, a[501])
	}
}
