package linkedlist

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// requests come one per millisecond; some clients send more than others.
func requests(n, clients int) []request {
	r := rand.New(rand.NewPCG(3, 1))
	names := make([]string, clients)
	for i := range names {
		names[i] = fmt.Sprintf("10.%d.%d.%d", r.IntN(256), i/256, i%256)
	}
	all := make([]request, n)
	for i := range all {
		client := r.IntN(clients)
		if r.IntN(10) == 0 {
			client /= 50
		}
		all[i] = request{client: names[client], at: int64(i), cost: 1 + int64(r.ExpFloat64()*20)}
	}
	return all
}

// BenchmarkAdmit asks a limiter, whose windows are full, about 5,000 requests.
func BenchmarkAdmit(b *testing.B) {
	const clients, n, batch = 4000, 200_000, 5000
	all := requests(n, clients)
	admit := cure.Built(before, after)(limits{window: 100_000, requests: 50, cost: 1000})
	at, round := 0, int64(0)
	ask := func() {
		for _, r := range all[at : at+batch] {
			r.at += round * n
			admit(r)
		}
		if at += batch; at == n {
			at, round = 0, round+1
		}
	}
	for range n / batch {
		ask()
	}
	b.ReportAllocs()
	for b.Loop() {
		ask()
	}
}

func TestSame(t *testing.T) {
	l := limits{window: 800, requests: 12, cost: 200}
	a, b := before(l), after(l)
	admitted := 0
	all := requests(20_000, 100)
	for i, r := range all {
		got, want := b(r), a(r)
		if got != want {
			t.Fatalf("request %d: %t before, %t after", i, want, got)
		}
		if got {
			admitted++
		}
	}
	if admitted < len(all)/2 || admitted > len(all)*99/100 {
		t.Errorf("%d of %d requests were admitted", admitted, len(all))
	}
	few := after(limits{window: 10, requests: 2, cost: 100})
	for i, want := range []bool{true, true, false, false, false, true, true} {
		if got := few(request{at: []int64{1, 2, 3, 4, 10, 11, 12}[i], cost: 1}); got != want {
			t.Errorf("request %d: %t", i, got)
		}
	}
}
