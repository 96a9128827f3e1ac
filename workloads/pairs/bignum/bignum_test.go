package bignum

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// factors are those by which the months of twenty years multiply a balance.
func factors() []*big.Int {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]*big.Int, 240)
	for i := range all {
		rate := new(big.Int).Quo(scale, big.NewInt(200+r.Int64N(2000)))
		all[i] = rate.Add(rate, scale)
	}
	return all
}

// accounts are mostly young, and few are large.
func accounts(n int) []account {
	r := rand.New(rand.NewPCG(1, 3))
	all := make([]account, n)
	for i := range all {
		age := min(int(r.ExpFloat64()*20), 240)
		all[i] = account{cents: int64(r.ExpFloat64() * 500_000), since: 240 - age}
	}
	return all
}

// BenchmarkGrow takes the accounts of a bank by 200.
func BenchmarkGrow(b *testing.B) {
	const batch = 200
	all, factors := accounts(500*batch), factors()
	grow := cure.Built(before, after)
	b.ReportAllocs()
	at := 0
	for b.Loop() {
		grow(all[at:at+batch], factors, 1_000_000)
		at = (at + batch) % len(all)
	}
}

func TestSame(t *testing.T) {
	factors := factors()
	sums := map[string]bool{}
	for n := range 50 {
		some := accounts(100)[n : n+n+1]
		a, manyA := before(some, factors, 400_000)
		b, manyB := after(some, factors, 400_000)
		if a.Cmp(b) != 0 || manyA != manyB {
			t.Errorf("%d accounts: %v and %d before, %v and %d after", len(some), a, manyA, b, manyB)
		}
		if manyA == 0 && n > 20 || manyA == len(some) && n > 20 {
			t.Errorf("%d of %d accounts are above the limit", manyA, len(some))
		}
		sums[a.String()] = true
	}
	if len(sums) != 50 {
		t.Errorf("%d sums of 50 lists", len(sums))
	}
	double := []*big.Int{new(big.Int).Lsh(scale, 1), scale}
	if got, _ := after([]account{{cents: 7}, {cents: 5, since: 1}}, double, 1); got.Cmp(scaled(19)) != 0 {
		t.Errorf("7 doubled and 5 are %v", got)
	}
}
