package verdict

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/stats"
)

const (
	// DefaultBlocks is the last look where nothing else is asked for.
	DefaultBlocks = 40
	// firstLook is the least number of blocks worth judging: with 12 the
	// interval of a single question can do without some of them.
	firstLook = 12
	// apart is the least distance of two looks; sooner, too little is new.
	apart = 4
	// spare blocks are added to the least number that can reach the level of
	// the first look, at which one contrary block out of all hides any effect.
	spare = 2
)

// alphas are spent at an experiment's looks, by their number: the chance of a
// false claim is at most their sum, 5 %, whatever is decided between looks
// (Bonferroni). Most is kept for the last look, which has most to say.
var alphas = map[int][]float64{
	1: {0.05},
	2: {0.01, 0.04},
	3: {0.01, 0.015, 0.025},
}

// PlanLooks returns the numbers of blocks at which an experiment is judged to
// decide whether to go on, for a family of so many questions (candidate modes ×
// benchmarks) and at most so many blocks, DefaultBlocks where that is 0.
//
// They are 12, 20 and 40 by default. A large family puts off the first look
// until its smallest reachable p-value, 2/2ⁿ, suffices for a decision after
// Holm; other maxima keep the first look, the half and the end. The warning is
// not empty where so few blocks cannot decide anything.
func PlanLooks(family, blocks int) (looks []int, warning string) {
	family = max(family, 1)
	if blocks <= 0 {
		blocks = DefaultBlocks
	}
	first := max(firstLook, spare+stats.MinPairs(alphas[3][0]/float64(family)))
	for _, at := range []int{first, blocks / 2} {
		after := 0
		if len(looks) > 0 {
			after = looks[len(looks)-1] + apart
		}
		if at >= max(first, after) && at+apart <= blocks {
			looks = append(looks, at)
		}
	}
	looks = append(looks, blocks)
	if !CanDecide(family, blocks, looks) {
		least := stats.MinPairs(alphaAt(blocks, looks) / float64(family))
		warning = fmt.Sprintf("%d blocks cannot decide any of %d questions (modes × benchmarks): give -blocks %d or more, or fewer modes or benchmarks",
			blocks, family, least+spare)
	}
	return looks, warning
}

// CanDecide says whether so many blocks can decide anything of a family of
// questions, if the experiment ends with them.
func CanDecide(family, blocks int, looks []int) bool {
	return blocks >= stats.MinPairs(alphaAt(blocks, looks)/float64(max(family, 1)))
}

// alphaAt returns the level that is spent when judging after so many blocks.
// Between two looks that is the next one's, which then takes place early:
// when the budget or the user, but not the data, ended the experiment. After
// the last look it is the last one's.
func alphaAt(blocks int, looks []int) float64 {
	spend := alphas[len(looks)]
	for i, at := range looks {
		if blocks <= at {
			return spend[i]
		}
	}
	return spend[len(spend)-1]
}

func checkLooks(looks []int) error {
	if alphas[len(looks)] == nil {
		return fmt.Errorf("%d looks at the data: plan one to three, with PlanLooks", len(looks))
	}
	for i, at := range looks {
		if at < 1 || i > 0 && at <= looks[i-1] {
			return fmt.Errorf("looks at %v blocks: they must ascend from 1", looks)
		}
	}
	return nil
}
