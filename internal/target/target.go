// Package target builds, runs and profiles each kind of target: the benchmarks of
// Go packages, a command that ends, a server under load.
//
// A target answers for itself. Whoever measures one calls the methods of
// [Target] and reads its [Facts]; nobody asks which kind it is. A further kind
// is one file here, or a type anywhere else that has these methods.
package target

import (
	"context"
	"fmt"
	"time"

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/sample"
)

// Target is a program, or several, that can be built, measured and profiled.
type Target interface {
	fmt.Stringer // the name for people, "./workloads/binarytrees"
	// Facts returns the facts that are known before anything is built.
	Facts() Facts
	Builder
	Measurer
	Profiler
}

// Builder builds a target.
type Builder interface {
	// Build makes the cell's binaries from the sources below c.Dir and fills
	// c.Binaries and c.Commands. Builds of several cells run at once.
	Build(ctx context.Context, c *Cell) error
}

// Measurer runs the benchmarks of a target that is built.
type Measurer interface {
	// Benchmarks lists the benchmarks, found by a first run of the baseline. Those that
	// hang or fail take about twice the timeout at most, together.
	Benchmarks(ctx context.Context, c *Cell, timeout time.Duration) ([]Found, error)
	// Calibrate returns the iterations that make one run take about d.
	Calibrate(ctx context.Context, c *Cell, k sample.Key, d, timeout time.Duration) (Calibration, error)
	// Invocation is how the benchmark is run once. binary is the file to run:
	// c.Binaries[k.Package] or a copy of it.
	Invocation(c *Cell, k sample.Key, binary string, iterations int) Invocation
	// Run carries an invocation out and returns the figures of each of the
	// target's parts, or a *RunError that says why there are none.
	Run(ctx context.Context, inv Invocation) ([]Figures, error)
}

// Profiler runs a target such that it leaves profiles.
type Profiler interface {
	// Profile carries a profiling out. A target that can be run, but not be
	// profiled, returns ErrNoProfile.
	Profile(ctx context.Context, c *Cell, p Profiling) (process.Outcome, error)
}

// Facts are a target's statements about itself before it is built.
type Facts struct {
	// Kind names the kind of target in documents.
	Kind string
	// Packages are the patterns of the Go packages that the target is made of.
	// A program that is there already has none, so modes that change a build do
	// not apply to it.
	Packages []string
	// Builds is how the target's packages are built, which decides how the
	// collector's figures are read.
	Builds inject.Kind
	// FixedLength says that a run takes the same time whatever is asked for.
	FixedLength bool
	// Parts are the names of the parts that every run is reported in, such as
	// calm and storm. nil is the whole.
	Parts []string
	// Run is the duration of one run with its start and its end, where that is
	// known; else 0.
	Run time.Duration
	// Budget is how long an experiment takes that is given no budget. 0 leaves it
	// to the experiment.
	Budget time.Duration
}

// Found is a benchmark that a target has, or why it cannot be measured.
type Found struct {
	sample.Key
	Err error
	// Rate is the bytes allocated per second in the run that found it; 0 where it is not
	// known.
	Rate float64
	// Start is the time per benchmark that was not timed in the run that found it:
	// the start of the process and the preparation of data. 0 is unknown.
	Start time.Duration

	took time.Duration // timed in that run
}

// Calibration is how a benchmark is run.
type Calibration struct {
	Iterations int      // operations of a run, all parts together
	Idle       bool     // it is known to allocate next to nothing
	Notes      []string // doubts about the choice
}

// Profiling says which profiles are wanted and where they go.
type Profiling struct {
	sample.Key               // Benchmark "" is all of the package, for about a second each
	Iterations int           // operations of the run; 0 lets the target choose
	CPU        string        // file to write, or the beginning of several names: CPU.0, CPU.1 and so on
	Heap       string        // the same for heap profiles; "" takes none
	Timeout    time.Duration // the run's
	// Trace is a file for an execution trace, which is taken instead of profiles. That
	// of a command or server breaks off up to a second before its end.
	Trace string
}
