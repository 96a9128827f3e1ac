// Package experiment measures a target in several modes.
//
// Every cell (the target in one mode) is built and proven before the first
// timed run. Then all modes are run in randomised complete blocks of fresh
// processes until every question is decided or the budget is spent. Measurements
// are written to disk at once. docs/method.md has the reasons.
package experiment

import (
	"cmp"
	"fmt"
	"time"

	"github.com/heapwright/heapwright/internal/machine"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Plan describes an experiment: its target, its modes and its length. The zero value of
// every field except Target and Modes is useful; see withDefaults.
type Plan struct {
	Target target.Target
	Modes  []mode.Mode // the first is the baseline
	Blocks int         // the largest number of blocks; 0 is the method's default

	// Budget is the time limit, not counting builds. No run begins that would end after
	// it. 0 is the target's budget, or DefaultBudget.
	Budget time.Duration

	RunTime time.Duration // the approximate duration of a timed run; 0 is DefaultRunTime

	// Timeout bounds one run. 0 is ten times RunTime and a minute, and for a command at
	// least a quarter of Budget.
	Timeout time.Duration

	Seed    uint64 // determines the order of runs
	Dir     string // the target's folder, absolute
	OutDir  string // results.txt and report.json are kept here while measuring
	Handler result.Handler
	Place   Placement
	Again   []string // names of more arms that run the baseline and are judged like modes (for aa)
	// Open counts the questions for which the experiment continues after an analysis. Nil
	// counts the inconclusive effects on the primary metric.
	Open func([]verdict.Effect) int
	// Among are the benchmarks to measure, the most important first. Nil lists them, which
	// runs each once.
	Among []sample.Key
	// Skips reports whether a mode leaves out a benchmark of Among. The baseline runs all. Nil
	// leaves out none.
	Skips func(mode string, k sample.Key) bool
	// Patience is the time limit for the first run of a command if Timeout is 0: a server
	// that the user gave as a command never ends. 0 is Budget.
	Patience time.Duration
	// Select leaves out benchmarks for which the budget is too short, and notes them.
	// Without it, all are measured for as long as the budget lasts.
	Select bool

	// Fill plans more blocks than Blocks if the budget seems to allow for them. Open
	// questions are then measured until it is spent.
	Fill bool

	// Trace runs every benchmark once more in every mode after the blocks, with the
	// execution tracer, and keeps the timelines in OutDir.
	Trace bool

	machineTime func() machine.Time // nil is this machine's
}

// Placement decides which file an arm runs. The place of a file in memory changes the
// cost of a run by up to some per cent, as long as the file stays there.
type Placement string

const (
	Fresh Placement = ""      // a new copy in every block: placement becomes noise, as it should
	Same  Placement = "same"  // the built file itself, for all arms of a cell
	Fixed Placement = "fixed" // one copy for each arm, kept for the whole experiment
)

const (
	// DefaultBudget is long enough for 40 blocks of three benchmarks in five modes.
	DefaultBudget = 5 * time.Minute
	// DefaultRunTime is long enough for dozens of collections of a small heap, and makes
	// the start of the process (2–5 ms of CPU) a small part of the run.
	DefaultRunTime = 200 * time.Millisecond
)

// withDefaults returns the plan with defaults in its empty fields, or an error if it
// cannot be carried out.
func (p Plan) withDefaults() (Plan, error) {
	if len(p.Modes) == 0 {
		return p, fmt.Errorf("no modes to compare")
	}
	if p.Blocks < 0 || p.Budget < 0 || p.RunTime < 0 || p.Timeout < 0 {
		return p, fmt.Errorf("blocks, budget, run time and timeout cannot be negative")
	}
	p.Budget = cmp.Or(p.Budget, p.Target.Facts().Budget, DefaultBudget)
	p.RunTime = cmp.Or(p.RunTime, DefaultRunTime)
	if p.Timeout > 0 {
		p.Patience = p.Timeout
	} else {
		p.Patience = max(cmp.Or(p.Patience, p.Budget), leastTimeout)
		p.Timeout = 10*p.RunTime + time.Minute
		if lasts(p.Target.Facts()) {
			p.Timeout = max(p.Timeout, p.Patience/4)
		}
	}
	if p.machineTime == nil {
		p.machineTime = machine.ReadTime
	}
	if p.Handler == nil {
		p.Handler = discard{}
	}
	return p, nil
}

type discard struct{}

func (discard) Handle(result.Event) {}
