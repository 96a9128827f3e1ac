package verdict

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/stats"
)

const (
	// DefaultBlocks is the block count of the final analysis by default.
	DefaultBlocks = 40
	// firstAnalysis is the least number of blocks worth judging: with 12 the
	// interval of a single question can do without some of them.
	firstAnalysis = 12
	// apart is the least distance of two analyses; sooner, too little is new.
	apart = 4
	// spare blocks are added to the least number that can reach the level of
	// the first analysis, at which one contrary block out of all hides any effect.
	spare = 2
)

// alphas are spent at an experiment's analyses, by their number: the chance of a
// false claim is at most their sum, 5%, whatever is decided between analyses
// (Bonferroni). The final analysis has the most data, so it gets the most.
var alphas = map[int][]float64{
	1: {0.05},
	2: {0.01, 0.04},
	3: {0.01, 0.015, 0.025},
}

// PlanAnalyses returns the block counts of the interim analyses and of the final
// one: at each, the experiment is judged to decide whether it continues. family is
// the number of questions (candidate modes × benchmarks). blocks is the most
// blocks that the experiment may run; 0 stands for DefaultBlocks.
//
// They are 12, 20 and 40 by default. A large family delays the first analysis
// until its smallest reachable p-value, 2/2ⁿ, suffices for a decision after
// Holm. Other maxima keep the first analysis, the half and the end. The warning
// is not empty if so few blocks cannot decide anything.
func PlanAnalyses(family, blocks int) (analyses []int, warning string) {
	family = max(family, 1)
	if blocks <= 0 {
		blocks = DefaultBlocks
	}
	first := max(firstAnalysis, spare+stats.MinPairs(alphas[3][0]/float64(family)))
	for _, at := range []int{first, blocks / 2} {
		after := 0
		if len(analyses) > 0 {
			after = analyses[len(analyses)-1] + apart
		}
		if at >= max(first, after) && at+apart <= blocks {
			analyses = append(analyses, at)
		}
	}
	analyses = append(analyses, blocks)
	if !CanDecide(family, blocks, analyses) {
		least := stats.MinPairs(alphaAt(blocks, analyses) / float64(family))
		warning = fmt.Sprintf("%d blocks cannot decide any of %d questions (modes × benchmarks), which takes %d: allow more blocks or a larger budget, or fewer modes or benchmarks",
			blocks, family, least+spare)
	}
	return analyses, warning
}

// CanDecide reports whether so many blocks can decide anything of a family of
// questions, if the experiment ends with them.
func CanDecide(family, blocks int, analyses []int) bool {
	return blocks >= stats.MinPairs(alphaAt(blocks, analyses)/float64(max(family, 1)))
}

// alphaAt returns the level that is spent when judging after so many blocks.
// Between two analyses that is the next one's, which then takes place early:
// when the budget or the user, but not the data, ended the experiment. After
// the final analysis it is that one's.
func alphaAt(blocks int, analyses []int) float64 {
	spend := alphas[len(analyses)]
	for i, at := range analyses {
		if blocks <= at {
			return spend[i]
		}
	}
	return spend[len(spend)-1]
}

func checkAnalyses(analyses []int) error {
	if alphas[len(analyses)] == nil {
		return fmt.Errorf("%d analyses of the data: plan one to three, with PlanAnalyses", len(analyses))
	}
	for i, at := range analyses {
		if at < 1 || i > 0 && at <= analyses[i-1] {
			return fmt.Errorf("analyses at %v blocks: they must ascend from 1", analyses)
		}
	}
	return nil
}
