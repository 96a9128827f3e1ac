package sorting

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

// The fix relies on it that the functions of both packages make the same swaps, whatever
// the toolchain: otherwise equal elements would change their order.
func TestSameOrderOfEqualElements(t *testing.T) {
	type pair struct{ key, place int }
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 2000 {
		was := make([]pair, n)
		for i := range was {
			was[i] = pair{random.IntN(1 + n/4), i}
		}
		switch n % 4 { // patterns that pdqsort recognizes
		case 0:
			slices.SortFunc(was, func(a, b pair) int { return cmp.Compare(b.key, a.key) })
		case 1:
			slices.SortFunc(was[:n/2], func(a, b pair) int { return cmp.Compare(a.key, b.key) })
		}
		now := slices.Clone(was)
		sort.Slice(was, func(i, j int) bool { return was[i].key < was[j].key })
		slices.SortFunc(now, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
		if !slices.Equal(was, now) {
			t.Fatalf("%d elements: the functions disagree", n)
		}
	}
}
