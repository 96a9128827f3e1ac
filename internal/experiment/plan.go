// Package experiment measures a target in several modes.
//
// Every cell (the target in one mode) is built and proven before the first
// timed run. Then all modes are run in randomised complete blocks of fresh
// processes until every question is decided or the budget is spent. What is
// measured is written to disk at once; docs/method.md says why it is done so.
package experiment

import (
	"fmt"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Plan says what is measured and how long. The zero value of every field but
// Target and Modes is useful; see withDefaults.
type Plan struct {
	Target  Target
	Modes   []mode.Mode   // the first is the baseline
	Blocks  int           // at most; 0 is the last look of the method
	Budget  time.Duration // no block is begun that would end after it; 0 is DefaultBudget
	RunTime time.Duration // about how long one timed run takes; 0 is DefaultRunTime
	Timeout time.Duration // of one run; 0 is ten times RunTime and a minute
	Seed    uint64        // of the order of runs
	Dir     string        // of the target, absolute
	OutDir  string        // results.txt and report.json are kept here while measuring
	Handler result.Handler
	Place   Placement
	Again   []string // further arms that run the baseline again, to be judged like modes (for aa)
	// Open counts the questions that keep the experiment going at a look; nil
	// counts the inconclusive effects on the primary metric.
	Open func([]verdict.Effect) int
	// Recordings is about how long Record may take in all: many benchmarks have
	// less than RunTime each. 0 is as long as it takes.
	Recordings time.Duration
}

// Placement is which file an arm runs. Where a file lies in memory changes
// what it costs, by up to some per cent, for as long as it lies there.
type Placement string

const (
	Fresh Placement = ""      // a new copy in every block: placement becomes noise, as it should
	Same  Placement = "same"  // the built file itself, for all arms of a cell
	Fixed Placement = "fixed" // one copy for each arm, kept for the whole experiment
)

const (
	// DefaultBudget is long enough for 40 blocks of five modes of three
	// benchmarks.
	DefaultBudget = 5 * time.Minute
	// DefaultServerBudget is long enough for the first look at three modes
	// of a server under the default load, of which a run takes 24 seconds.
	DefaultServerBudget = 30 * time.Minute
	// DefaultRunTime lets a run see dozens of collections of a small heap,
	// and makes the start of the process (2–5 ms of CPU) small beside it.
	DefaultRunTime = 200 * time.Millisecond
)

func (p Plan) withDefaults() (Plan, error) {
	if len(p.Modes) == 0 {
		return p, fmt.Errorf("no modes to compare")
	}
	if p.Blocks < 0 || p.Budget < 0 || p.RunTime < 0 || p.Timeout < 0 {
		return p, fmt.Errorf("blocks, budget, run time and timeout cannot be negative")
	}
	if p.Budget == 0 {
		p.Budget = DefaultBudget
	}
	if p.RunTime == 0 {
		p.RunTime = DefaultRunTime
	}
	if p.Timeout == 0 {
		p.Timeout = 10*p.RunTime + time.Minute
	}
	if p.Handler == nil {
		p.Handler = discard{}
	}
	return p, nil
}

type discard struct{}

func (discard) Handle(result.Event) {}
