package diagnose

import (
	"io"
	"time"

	"github.com/heapwright/heapwright/internal/collect"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// DefaultBudget is how long running a target may take in all.
const DefaultBudget = 2 * time.Minute

// Plan is the order for a diagnosis. Its zero value but for Sources or Target is useful.
type Plan struct {
	Sources    []string                                 // files, folders, package patterns, URLs; all that are given together
	Target     target.Target                            // instead of sources: a program that is run with profiles
	Bench      string                                   // of packages: the benchmarks that match; "" is all
	Dir        string                                   // where packages and source are looked for, absolute
	Modules    string                                   // patterns of dependencies to look into as if they were the program's own, with commas between them
	MaxBytes   int64                                    // of a profile, inflated; 0 is profile.DefaultMaxBytes
	Open       func(name string) (io.ReadCloser, error) // opens profiles; nil is as in profile.Options
	Budget     time.Duration                            // for running a target; 0 is DefaultBudget
	Production []string                                 // profiles of the target's production, to compare with
	Price      bool                                     // also measure the cost of lines
	Pricing    time.Duration                            // the time for that; 0 is two minutes
	Lengths    bool                                     // also measure lengths, and propose room
	Analysis   time.Duration                            // the least time for the source, even if the budget is spent
	Handler    result.Handler
	Service    collect.Plan // how a live service among Sources is asked; Run sets its URL, Watch and MaxBytes, and a Dir that does not last where it is ""
}

// inputs are the sources of a plan while they are read.
type inputs struct {
	plan     Plan
	profiles *evidence.Profiles
	runtime  evidence.Runtime
	scratch  string

	target   target.Target // that can be run; nil: none
	recorded []sample.Key  // benchmarks of it that were profiled
	leftOut  []sample.Key  // and those that the budget left out
	failed   []sample.Key  // and those that could not be profiled

	recordings []experiment.Recording // of these
	clock      *clock                 // nil where nothing is run
}
