package verdict

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/heapwright/heapwright/internal/stats"
)

func TestPlanAnalyses(t *testing.T) {
	for _, c := range []struct {
		family, blocks int
		want           []int
		warns          bool
	}{
		{1, 0, []int{12, 20, 40}, false},
		{0, 0, []int{12, 20, 40}, false},
		{5, 40, []int{12, 20, 40}, false},
		{12, 0, []int{14, 20, 40}, false},
		{100, 0, []int{17, 40}, false}, // 20 is too soon after 17
		{1, 100, []int{12, 50, 100}, false},
		{1, 30, []int{12, 30}, false}, // 15 is too soon after 12
		{1, 20, []int{12, 20}, false},
		{1, 12, []int{12}, false},
		{12, 12, []int{12}, false}, // 2/2¹² ≤ 5%/12
		{12, 8, []int{8}, true},
		{1, 5, []int{5}, true},
		{1000, 12, []int{12}, true},
	} {
		analyses, warning := PlanAnalyses(c.family, c.blocks)
		if !slices.Equal(analyses, c.want) || (warning != "") != c.warns {
			t.Errorf("PlanAnalyses(%d, %d) = %v, %q; want %v", c.family, c.blocks, analyses, warning, c.want)
		}
	}
	if _, got := PlanAnalyses(12, 8); got != "8 blocks cannot decide any of 12 questions (modes × benchmarks), which takes 11: allow more blocks or a larger budget, or fewer modes or benchmarks" {
		t.Errorf("warning: %q", got)
	}
}

func TestLooksProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		family := rapid.IntRange(1, 100_000).Draw(rt, "family")
		blocks := rapid.IntRange(1, 300).Draw(rt, "blocks")
		analyses, warning := PlanAnalyses(family, blocks)
		if err := checkAnalyses(analyses); err != nil {
			rt.Fatal(err)
		}
		if last := analyses[len(analyses)-1]; last != blocks {
			rt.Fatalf("final analysis at %d of %d", last, blocks)
		}
		// A plan without a warning can decide, at every one of its analyses.
		for _, at := range analyses {
			if can := at >= stats.MinPairs(alphaAt(at, analyses)/float64(family)); can == (warning != "") {
				rt.Fatalf("analyses %v for %d: can decide at %d: %v, warning %q", analyses, family, at, can, warning)
			}
		}
	})
}

func TestAlphaIsSpentOnce(t *testing.T) {
	for _, analyses := range [][]int{{12, 20, 40}, {12, 20}, {8}} {
		sum := 0.0
		for _, at := range analyses {
			sum += alphaAt(at, analyses)
		}
		if sum < 0.0499 || sum > 0.0501 {
			t.Errorf("analyses %v spend %v", analyses, sum)
		}
	}
	analyses := []int{12, 20, 40}
	for _, c := range []struct {
		blocks int
		want   float64
	}{{3, 0.01}, {12, 0.01}, {13, 0.015}, {20, 0.015}, {21, 0.025}, {40, 0.025}, {77, 0.025}} {
		if got := alphaAt(c.blocks, analyses); got != c.want {
			t.Errorf("α after %d blocks: %v, want %v", c.blocks, got, c.want)
		}
	}
}
