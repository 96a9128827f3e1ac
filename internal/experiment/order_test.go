package experiment

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A block's order follows from seed and block number alone, so that an
// experiment that goes on runs in the order in which it would have run.
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

func TestExactly(t *testing.T) {
	for name, want := range map[string]string{
		"Tree":          "^BenchmarkTree$",
		"Tree/heap":     "^BenchmarkTree$/^heap$",
		"Sum/n=1+1#01":  `^BenchmarkSum$/^n=1\+1#01$`,
		"Deep/a/b(c)|d": `^BenchmarkDeep$/^a$/^b\(c\)\|d$`,
	} {
		if got := exactly(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestFailedBenchmark(t *testing.T) {
	for _, c := range []struct{ name, output, crash, want string }{
		{"told", "goos: linux\nBenchmarkA \t1\t2 ns/op\n--- FAIL: BenchmarkB/x\n    b.go:1: no\n", "", "B/x"},
		{"panicked", "BenchmarkA \t1\t2 ns/op\nBenchmarkB\npanic: no\n", "", "B"},
		{"panicked at once", "BenchmarkA \t1\t2 ns/op\n", "panic: no\n\ngoroutine 8 [running]:\nexample.org/p.f(...)\nexample.org/p.BenchmarkB.func1(0xc0)\n", "B"},
		{"another one logged", "BenchmarkA \t1\t2 ns/op\n--- BENCH: BenchmarkA\n    a.go:1: yes\nBenchmarkB \t", "", "B"},
		{"killed at once", "BenchmarkA \t1\t2 ns/op\n", "", "(after A)"},
		{"silent", "panic: in init\n", "", "(before the first benchmark)"},
	} {
		done, err := benchmarkNames([]byte(c.output))
		if err != nil {
			t.Fatal(err)
		}
		if got := failedBenchmark([]byte(c.output), c.crash, done); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
