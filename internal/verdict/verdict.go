// Package verdict turns samples into effects and effects into verdicts.
//
// An effect is the estimated ratio candidate/baseline of one metric of one benchmark, with
// its interval. A verdict compares the interval with the noise floor δ, which the A/A
// control of the same experiment gives. docs/method.md gives the promises,
// docs/internals/statistics.md their derivation.
//
// The package prefers "inconclusive" to a wrong verdict. The chance that an experiment
// makes even one false claim of a difference on a metric is at most 5%, over all modes,
// benchmarks and analyses:
//
//   - The questions of one metric, every candidate mode × every benchmark, are
//     one family under Holm's method. Modes and benchmarks share a family
//     because they are searched together: a reader picks the best mode and the
//     worst benchmark out of the whole table.
//   - Each metric is a family of its own, because the primary metric alone
//     decides a mode's verdict and must not pay for the other columns. So a
//     report of five metrics makes a false claim on one of the others more often
//     than in 5%; read those as five tables.
//   - The level is divided among the analyses, so that stopping early costs
//     nothing; see PlanAnalyses.
package verdict

import "github.com/heapwright/heapwright/internal/sample"

// Verdict is the position of an effect's interval against the noise floor.
type Verdict string

const (
	Better       Verdict = "better"       // the whole interval is better by more than δ
	Worse        Verdict = "worse"        // the whole interval is worse by more than δ
	Same         Verdict = "same"         // the whole interval lies within ±δ
	Inconclusive Verdict = "inconclusive" // none of these: more blocks would decide
)

// Effect is the estimated change of one metric of one benchmark in one mode.
type Effect struct {
	sample.Key
	Mode    string  `json:"mode"`
	Metric  string  `json:"metric"`
	Blocks  int     `json:"blocks"` // pairs that the estimate rests on
	Ratio   float64 `json:"ratio"`  // candidate/baseline, 0.8 is 20% less; +Inf is a change from zero
	Low     float64 `json:"low"`    // interval of Ratio; 0 and +Inf where there are too few blocks for one
	High    float64 `json:"high"`
	P       float64 `json:"p"`     // two-sided, exact signed-rank, not adjusted
	Level   float64 `json:"level"` // α that Low…High was made with, after Holm
	Delta   float64 `json:"delta"` // δ, the noise floor as a relative change: 0.01 is 1%
	Verdict Verdict `json:"verdict"`
	// MoreBlocks is how many further blocks would decide an inconclusive
	// effect, if it is as large as it seems, at most Hopeless; 0 otherwise.
	MoreBlocks int      `json:"more_blocks,omitempty"`
	Baseline   float64  `json:"baseline"`  // median of the baseline's samples, in the metric's unit
	Candidate  float64  `json:"candidate"` // median of the candidate's samples
	Warnings   []string `json:"warnings,omitempty"`
}

// Decision is the advice on a whole mode.
type Decision string

const (
	Adopt     Decision = "adopt"
	Reject    Decision = "reject"
	Neutral   Decision = "neutral"
	Undecided Decision = "inconclusive"
)

// Summary is the verdict on a mode over all benchmarks.
type Summary struct {
	Mode     string             `json:"mode"`
	Decision Decision           `json:"decision"`
	Reason   string             `json:"reason"`           // one sentence, in words
	Geomean  map[string]float64 `json:"geomean"`          // geometric mean of Ratio over benchmarks, by metric
	Failed   string             `json:"failed,omitempty"` // why the mode has no effects
	Needed   *Forecast          `json:"needed,omitempty"` // what would decide an inconclusive mode; nil is not known
}
