package experiment

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A block's order follows from seed and block number alone, so that an
// experiment that continues runs in the order in which it would have run.
func TestOrderFollowsFromSeedAndBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, block := rapid.Uint64().Draw(t, "seed"), rapid.Uint64().Draw(t, "block")
		n := rapid.IntRange(0, 20).Draw(t, "n")
		items := make([]int, n)
		for i := range items {
			items[i] = i
		}
		before := slices.Clone(items)
		first := shuffled(rand.New(rand.NewPCG(seed, block)), items)
		again := shuffled(rand.New(rand.NewPCG(seed, block)), items)
		if !slices.Equal(first, again) {
			t.Fatalf("seed %d, block %d: %v, then %v", seed, block, first, again)
		}
		if !slices.Equal(items, before) {
			t.Fatalf("the argument was changed to %v", items)
		}
		slices.Sort(first)
		if !slices.Equal(first, before) {
			t.Fatalf("%v is no permutation of %v", first, before)
		}
	})
}
