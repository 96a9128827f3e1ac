package target

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/sample"
)

// Packages is the target "benchmarks of Go packages".
type Packages struct {
	Names  []string     `json:"names"`            // package patterns as for go test; relative to the cell's Dir
	Bench  string       `json:"bench,omitempty"`  // regular expression of go test -bench; "" is all
	Only   []sample.Key `json:"only,omitempty"`   // a part of the matches; nil is all
	Memory int64        `json:"memory,omitempty"` // bytes of the control group that each run has to itself; 0 is none
}

func (t *Packages) String() string { return strings.Join(t.Names, " ") + within(t.Memory) }

func (t *Packages) Facts() Facts {
	return Facts{Kind: "packages", Packages: t.Names, Builds: inject.Test}
}

// Open checks whether this machine can bound the memory of a run.
func (t *Packages) Open(context.Context, string) error { return bounded(t.Memory) }

// Build links one test binary for each package that has benchmarks. Its place is
// the same in every experiment, so that the go command finds it up to date.
func (t *Packages) Build(ctx context.Context, c *Cell) error {
	names := slices.DeleteFunc(slices.Clone(t.Names), func(n string) bool { return slices.Contains(c.Absent, n) })
	if len(names) == 0 {
		return fmt.Errorf("only another revision has %s; name packages that both have", t)
	}
	pkgs, err := listPackages(ctx, c, names)
	if err != nil {
		return err
	}
	c.Binaries, c.Dirs = map[string][]string{}, map[string]string{}
	for _, p := range pkgs {
		if !p.hasBenchmarks() {
			continue
		}
		files, err := link(ctx, c, p, inject.Test, "test", "-c", "-vet=off")
		if err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		c.Binaries[p.ImportPath], c.Dirs[p.ImportPath] = files, p.Dir
	}
	inVendor := func(p goPackage) bool {
		return p.Module != nil && !p.Module.Main && strings.Contains(filepath.ToSlash(p.Dir), "/vendor/")
	}
	switch {
	case len(c.Binaries) > 0:
		return nil
	case slices.ContainsFunc(pkgs, goPackage.hasTests):
		return t.noBenchmark()
	case slices.ContainsFunc(pkgs, inVendor):
		return fmt.Errorf("no test files in %s: go mod vendor leaves those of dependencies out; set GOFLAGS=-mod=mod",
			t)
	default:
		return fmt.Errorf("no test files in %s; to measure a main package as a command, give -main %s", t, t)
	}
}

// Benchmarks runs every benchmark once to learn the names of sub-benchmarks.
// Without -test.cpu=1 the names would end in GOMAXPROCS, which a mode may set.
func (t *Packages) Benchmarks(ctx context.Context, c *Cell, timeout time.Duration) ([]Found, error) {
	var found []Found
	left := 2 * timeout
	least := leastListing(left, max(1, len(c.Binaries)))
	for _, pkg := range slices.Sorted(maps.Keys(c.Binaries)) {
		all, err := t.list(ctx, c, pkg, least, &left)
		if err != nil {
			return nil, err
		}
		for _, f := range all {
			if t.Only == nil || f.Err != nil || slices.Contains(t.Only, f.Key) {
				found = append(found, f)
			}
		}
	}
	if len(found) == 0 {
		return nil, t.noBenchmark()
	}
	return found, nil
}

func (t *Packages) noBenchmark() error {
	if t.Bench == "" {
		return fmt.Errorf("no benchmark in %s; to measure a program, give -main PACKAGE", t)
	}
	return fmt.Errorf("no benchmark in %s matches -bench %q; list them with: %s", t, t.Bench, mode.CommandLine(nil,
		"go", append([]string{"test", "-list", "."}, t.Names...)...))
}

// idleRate is an allocation rate in bytes per second that costs about a thousandth
// of CPU.
const idleRate = 1 << 20

// Calibrate lets the testing package find the count: it knows which part of
// the benchmark is timed.
func (t *Packages) Calibrate(ctx context.Context, c *Cell, k sample.Key, d, timeout time.Duration) (Calibration, error) {
	cmd := t.command(c, k.Package, c.Binaries[k.Package][0], exactly(k.Benchmark), d.String())
	cmd.Timeout = timeout
	out, err := process.Run(ctx, cmd)
	if err != nil {
		return Calibration{}, err
	}
	if out.Failure != "" {
		return Calibration{}, runError(out.Failure, out)
	}
	n, values, err := benchmarkLine(out.Stdout)
	found := Calibration{Iterations: n}
	if seconds := values["sec/op"]; seconds > 0 {
		found.Idle = values["B/op"]/seconds < idleRate
		found.Notes = tooFast(k, seconds)
	}
	return found, err
}

// leastWork in seconds is the time of a few cycles: an operation that takes less is the
// benchmark's loop alone.
const leastWork = 1e-9

// tooFast returns a doubt about a benchmark whose operations take no time.
func tooFast(k sample.Key, seconds float64) []string {
	if seconds >= leastWork {
		return nil
	}
	return []string{fmt.Sprintf("%s: an operation takes %.2g ns: the compiler has removed the work, because nothing uses its result. "+
		"Loop with b.Loop, which keeps it, or assign the result to a package variable", k, seconds*1e9)}
}

func (t *Packages) Invocation(c *Cell, k sample.Key, binary string, iterations int) Invocation {
	cmd := t.command(c, k.Package, binary, exactly(k.Benchmark), times(iterations))
	return Invocation{Command: cmd, Key: k, Iterations: iterations}
}

// Run replaces the process's figures by the benchmark's figures of the same name: it
// knows which part of the wall time is its own.
func (t *Packages) Run(ctx context.Context, inv Invocation) ([]Figures, error) {
	out, err := runToEnd(ctx, inv)
	if err != nil {
		return nil, err
	}
	n, values, err := benchmarkLine(out.Stdout)
	if err != nil {
		return nil, runError(err.Error(), out)
	}
	return []Figures{processFigures(out, n, values)}, nil
}

// Profile has the testing package write the profiles. A benchmark is run for a
// second unless the iterations are given: at 100 samples a second, a profile needs
// that to distinguish hot from cold. The heap profile is taken after the benchmark and a
// collection, so its live objects outlive the benchmark.
func (t *Packages) Profile(ctx context.Context, c *Cell, p Profiling) (process.Outcome, error) {
	pattern, length := t.pattern(), "1s"
	if p.Benchmark != "" {
		pattern = exactly(p.Benchmark)
	}
	if p.Iterations > 0 {
		length = times(p.Iterations)
	}
	cmd := t.command(c, p.Package, c.Binary(p.Package, 0), pattern, length)
	if p.Trace != "" {
		cmd.Args = append(cmd.Args, "-test.trace="+p.Trace)
	} else {
		cmd.Args = append(cmd.Args, "-test.cpuprofile="+p.CPU)
	}
	if p.Heap != "" {
		cmd.Args = append(cmd.Args, "-test.memprofile="+p.Heap)
	}
	cmd.Timeout = p.Timeout
	return runToEnd(ctx, Invocation{Command: cmd})
}

func (t *Packages) pattern() string {
	if t.Bench == "" {
		return "."
	}
	return t.Bench
}

func (t *Packages) command(c *Cell, pkg, binary, pattern, benchtime string) process.Command {
	return process.Command{
		Path: binary,
		Dir:  c.Dirs[pkg], // go test does the same, for testdata
		Args: []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + benchtime,
			"-test.benchmem", "-test.timeout=0"},
		Env:    mode.RunEnv(c.Config),
		Memory: t.Memory,
	}
}

// times is a -test.benchtime of exactly so many iterations.
func times(iterations int) string { return strconv.Itoa(iterations) + "x" }

// exactly returns the pattern that matches one benchmark and no other: the
// testing package matches the elements of a name one by one.
func exactly(name string) string {
	parts := strings.Split("Benchmark"+name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}
