package experiment

import (
	"context"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/sample"
)

// Target is what is measured: the benchmarks of Go packages, a command that
// ends, a server under load. An implementation is one file, or a few; the
// experiment knows nothing else of it.
type Target interface {
	// String names the target for people, "./workloads/binarytrees".
	String() string
	// Build makes the cell's binaries from the sources below c.Dir and fills
	// c.Binaries and c.Commands. Builds of several cells run at once.
	Build(ctx context.Context, c *Cell) error
	// Benchmarks lists what can be measured, by a first run of the baseline.
	Benchmarks(ctx context.Context, c *Cell, timeout time.Duration) ([]Found, error)
	// Calibrate returns the iterations that make one run take about d.
	Calibrate(ctx context.Context, c *Cell, k sample.Key, d, timeout time.Duration) (Calibration, error)
	// Invocation is how the benchmark is run once. binary is the file to run:
	// c.Binaries[k.Package] or a copy of it.
	Invocation(c *Cell, k sample.Key, binary string, iterations int) Invocation
	// Run carries an invocation out and returns the figures of each of the
	// benchmark's parts, or a *RunError that says why there are none.
	Run(ctx context.Context, inv Invocation) ([]Figures, error)
	// Profile runs the package such that it leaves CPU profiles, for PGO, in
	// files whose names begin with prefix.
	Profile(ctx context.Context, c *Cell, pkg, prefix string, timeout time.Duration) error
	// Record runs the benchmark once so that it leaves CPU and heap profiles in
	// dir, named cpu and heap, or cpu.0, cpu.1 … where they are taken in slices.
	Record(ctx context.Context, c *Cell, k sample.Key, iterations int, dir string, timeout time.Duration) (probe.Outcome, error)
	// Patterns are the Go packages that the target is made of, none for a
	// program that is there already.
	Patterns() []string
	// Kind is what the target builds, which decides how its collector's
	// figures are read.
	Kind() probe.Kind
}

// Found is a benchmark that a target has, or why it cannot be measured.
type Found struct {
	sample.Key
	Parts []string // that one run is reported in, as calm and storm; nil is the whole
	Err   error
}

// Calibration is how a benchmark is run.
type Calibration struct {
	Iterations int      // operations of a run, all parts together
	Notes      []string // what to know of the choice
}

// Invocation is one run of one benchmark.
type Invocation struct {
	probe.Command
	Key        sample.Key
	Iterations int
	Remark     string // what is done to it while it runs, for people
	Dump       string // file that the injected probe writes; "" where it sleeps
}

// Figures is what one run showed of one part of a benchmark.
type Figures struct {
	Part       string             // one of Found.Parts; "" is the whole
	Iterations int                // operations that it did
	Values     map[string]float64 // by metric
	Missing    map[string]string  // metric → why the target could not measure it
	Untimed    map[string]float64 // by metric, from an untimed run alone
	Dump       *probe.Dump        // what the probe saw of the part; nil is all that it saw
	Doubts     []Doubt
}

// Doubt is a reason not to trust a run's figures.
type Doubt struct {
	What   string // the same for all runs that it is true of
	Detail string // of this run
}

// Cell is a target in one mode.
type Cell struct {
	Mode       mode.Mode
	Config     mode.Config
	Dir        string              // where the target's packages are: the work tree, or a worktree of a revision
	CacheDir   string              // where the cell's binaries are kept between experiments
	Profiles   map[string]string   // by package: CPU profile of the baseline, for a PGO build
	Injections []probe.Injection   // added to the target beside the probe
	Absent     []string            // of the target's patterns: other cells have such packages, this one's sources do not
	Dirs       map[string]string   // by package: where its sources are
	Binaries   map[string][]string // by package: one file, or several with random layouts
	Unprobed   map[string]bool     // packages whose binary lacks the probe, because the go command refused it
	Commands   []string            // the exact build commands, as for a shell
	Hashes     []string            // of all binaries, in the order of packages
	Identity   mode.Identity
	Err        error // why the cell cannot be measured
}

// has reports whether the package is there in this mode: another revision or
// build tag may lack it.
func (c *Cell) has(pkg string) bool { return len(c.Binaries[pkg]) > 0 }

// probed reports whether the package was built here and has the probe in it.
func (c *Cell) probed(pkg string) bool { return len(c.Commands) > 0 && !c.Unprobed[pkg] }

// binary returns the file that block b runs: with random layouts every block
// takes the next.
func (c *Cell) binary(pkg string, b int) string {
	files := c.Binaries[pkg]
	return files[b%len(files)]
}
