package experiment

import (
	"context"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/sample"
)

// Target is what is measured: the benchmarks of Go packages, a command that
// ends, later a server under load. An implementation is one file; the
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
	Calibrate(ctx context.Context, c *Cell, k sample.Key, d, timeout time.Duration) (int, error)
	// Invocation is how the benchmark is run once. binary is the file to run:
	// c.Binaries[k.Package] or a copy of it.
	Invocation(c *Cell, k sample.Key, binary string, iterations int) probe.Command
	// Profiled is how the package is run to leave CPU profiles, for PGO, in
	// files whose names begin with prefix.
	Profiled(ctx context.Context, c *Cell, pkg, prefix string) (probe.Command, error)
	// Recorded is how the benchmark is run once to leave CPU and heap profiles
	// in dir, named cpu and heap, or cpu.0, cpu.1 … where they are taken in
	// slices.
	Recorded(ctx context.Context, c *Cell, k sample.Key, iterations int, dir string) (probe.Command, error)
	// Patterns are the Go packages that the target is made of, none for a
	// program that is there already.
	Patterns() []string
	// Kind is what the target builds, which decides how its collector's
	// figures are read.
	Kind() probe.Kind
	// Figures reads the target's own figures from the output of a run that
	// ended well. They take the place of the process's figures of the same
	// name: a benchmark knows which part of the wall time is its own.
	Figures(k sample.Key, out probe.Outcome) (Figures, error)
}

// Found is a benchmark that a target has, or why it cannot be measured.
type Found struct {
	sample.Key
	Err error
}

// Figures is what a target says of one run of one benchmark.
type Figures struct {
	Iterations int                // operations that the run did
	Values     map[string]float64 // by metric
}

// Cell is a target in one mode.
type Cell struct {
	Mode       mode.Mode
	Config     mode.Config
	Dir        string              // where the target's packages are: the work tree, or a worktree of a revision
	CacheDir   string              // where the cell's binaries are kept between experiments
	Profiles   map[string]string   // by package: CPU profile of the baseline, for a PGO build
	Injections []probe.Injection   // added to the target beside the probe
	Dirs       map[string]string   // by package: where its sources are
	Binaries   map[string][]string // by package: one file, or several with random layouts
	Commands   []string            // the exact build commands, as for a shell
	Hashes     []string            // of all binaries, in the order of packages
	Identity   mode.Identity
	Err        error // why the cell cannot be measured
}

// has reports whether the package is there in this mode: another revision or
// build tag may lack it.
func (c *Cell) has(pkg string) bool { return len(c.Binaries[pkg]) > 0 }

// binary returns the file that block b runs: with random layouts every block
// takes the next.
func (c *Cell) binary(pkg string, b int) string {
	files := c.Binaries[pkg]
	return files[b%len(files)]
}
