package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/sample"
)

// Packages is the target "benchmarks of Go packages".
type Packages struct {
	Names  []string     // package patterns as for go test; relative to the cell's Dir
	Bench  string       // regular expression of go test -bench; "" is all
	Only   []sample.Key // of what matches; nil is all
	Memory int64        // bytes of the control group that each run has to itself; 0 is none
}

func (t *Packages) String() string { return strings.Join(t.Names, " ") + within(t.Memory) }

// Build links one test binary for each package that has tests. Its place is
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
		if !p.hasTests() {
			continue
		}
		files, err := link(ctx, c, p, probe.Test, "test", "-c", "-vet=off")
		if err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		c.Binaries[p.ImportPath], c.Dirs[p.ImportPath] = files, p.Dir
	}
	if len(c.Binaries) == 0 {
		return fmt.Errorf("no test files in %s; to measure a main package as a command, give -main %s", t, t)
	}
	return nil
}

// Benchmarks runs every benchmark once to learn the names of sub-benchmarks.
// Without -test.cpu=1 the names would end in GOMAXPROCS, which a mode may set.
func (t *Packages) Benchmarks(ctx context.Context, c *Cell, timeout time.Duration) ([]Found, error) {
	var found []Found
	for _, pkg := range slices.Sorted(maps.Keys(c.Binaries)) {
		cmd := t.command(c, pkg, c.Binaries[pkg][0], t.pattern(), "1x")
		cmd.Args = append(cmd.Args, "-test.cpu=1")
		cmd.Timeout = timeout
		out, err := probe.Run(ctx, cmd)
		if err != nil {
			return nil, err
		}
		names, err := benchmarkNames(out.Stdout)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pkg, err)
		}
		for _, n := range names {
			k := sample.Key{Package: pkg, Benchmark: n}
			if t.Only == nil || slices.Contains(t.Only, k) {
				found = append(found, Found{Key: k})
			}
		}
		if out.Failure != "" {
			name := failedBenchmark(out.Stdout, out.LastOutput, names)
			found = append(found, Found{
				Key: sample.Key{Package: pkg, Benchmark: name},
				Err: runError(out.Failure, out),
			})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no benchmark in %s matches -bench %q; list them with: go test -list . %s", t, t.Bench, t)
	}
	return found, nil
}

// benchmarkNames returns the names in go test's output, in its order.
func benchmarkNames(out []byte) ([]string, error) {
	var names []string
	err := eachResult(out, func(r *benchfmt.Result) {
		if n := string(r.Name); !slices.Contains(names, n) {
			names = append(names, n)
		}
	})
	return names, err
}

func eachResult(out []byte, f func(*benchfmt.Result)) error {
	in := benchfmt.NewReader(bytes.NewReader(out), "output")
	for in.Scan() {
		if r, ok := in.Result().(*benchfmt.Result); ok {
			f(r)
		}
	}
	return in.Err()
}

var failLine = regexp.MustCompile(`(?m)^\s*--- FAIL: Benchmark(\S+)`)
var frameLine = regexp.MustCompile(`(?m)^\S+\.Benchmark([^.(\s]+)[.(]`)
var startLine = regexp.MustCompile(`(?m)^Benchmark(\S+)`)

// failedBenchmark says which benchmark a failed run stopped in, as far as its
// output tells: the one it named, the one in the crash's stack, else the last
// one begun. Package testing prints a name after the first iteration only, so
// that may be one that is done.
func failedBenchmark(stdout []byte, crash string, done []string) string {
	if m := failLine.FindSubmatch(stdout); m != nil {
		return string(m[1])
	}
	if m := frameLine.FindStringSubmatch(crash); m != nil {
		return m[1]
	}
	all := startLine.FindAllSubmatch(stdout, -1)
	if all == nil {
		return "(before the first benchmark)"
	}
	last := string(all[len(all)-1][1])
	if slices.Contains(done, last) {
		return "(after " + last + ")"
	}
	return last
}

// Calibrate lets the testing package find the count: it knows which part of
// the benchmark is timed.
func (t *Packages) Calibrate(ctx context.Context, c *Cell, k sample.Key, d, timeout time.Duration) (Calibration, error) {
	cmd := t.command(c, k.Package, c.Binaries[k.Package][0], exactly(k.Benchmark), d.String())
	cmd.Timeout = timeout
	out, err := probe.Run(ctx, cmd)
	if err != nil {
		return Calibration{}, err
	}
	if out.Failure != "" {
		return Calibration{}, runError(out.Failure, out)
	}
	n, _, err := benchmarkLine(out.Stdout)
	return Calibration{Iterations: n}, err
}

func (t *Packages) Invocation(c *Cell, k sample.Key, binary string, iterations int) Invocation {
	cmd := t.command(c, k.Package, binary, exactly(k.Benchmark), strconv.Itoa(iterations)+"x")
	return Invocation{Command: cmd, Key: k, Iterations: iterations}
}

// Run takes the place of the process's figures by those of the benchmark of
// the same name: it knows which part of the wall time is its own.
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

// Profile runs each benchmark for a second: that is what a profile needs, at
// 100 samples a second, to tell hot from cold.
func (t *Packages) Profile(ctx context.Context, c *Cell, pkg, prefix string, timeout time.Duration) error {
	cmd := t.command(c, pkg, c.Binaries[pkg][0], t.pattern(), "1s")
	cmd.Args = append(cmd.Args, "-test.cpuprofile="+prefix)
	cmd.Timeout = timeout
	_, err := runToEnd(ctx, Invocation{Command: cmd})
	return err
}

// Record has the testing package write the profiles. Its heap profile is taken
// after the benchmark and a collection: what lives in it outlives the benchmark.
func (t *Packages) Record(ctx context.Context, c *Cell, k sample.Key, iterations int, dir string, timeout time.Duration) (probe.Outcome, error) {
	inv := t.Invocation(c, k, c.binary(k.Package, 0), iterations)
	inv.Args = append(inv.Args, "-test.cpuprofile="+filepath.Join(dir, "cpu"), "-test.memprofile="+filepath.Join(dir, "heap"))
	inv.Timeout = timeout
	return runToEnd(ctx, inv)
}

func (t *Packages) Patterns() []string { return t.Names }

func (t *Packages) pattern() string {
	if t.Bench == "" {
		return "."
	}
	return t.Bench
}

func (t *Packages) command(c *Cell, pkg, binary, pattern, benchtime string) probe.Command {
	return probe.Command{
		Path: binary,
		Dir:  c.Dirs[pkg], // as go test does, for testdata
		Args: []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + benchtime,
			"-test.benchmem", "-test.timeout=0"},
		Env:    mode.RunEnv(c.Config),
		Memory: t.Memory,
	}
}

// exactly returns the pattern that matches one benchmark and no other: the
// testing package matches the elements of a name one by one.
func exactly(name string) string {
	parts := strings.Split("Benchmark"+name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

func (t *Packages) Kind() probe.Kind { return probe.Test }

// benchmarkLine reads the one line of results in go test's output: wall time,
// bytes, allocations and the units that the benchmark reported itself.
func benchmarkLine(out []byte) (iterations int, values map[string]float64, err error) {
	lines := 0
	err = eachResult(out, func(r *benchfmt.Result) {
		lines++
		iterations, values = r.Iters, map[string]float64{}
		for _, v := range r.Values {
			values[v.Unit] = v.Value
		}
	})
	switch {
	case err != nil:
		return 0, nil, err
	case lines == 0:
		return 0, nil, errors.New("it printed no result; is it skipped in this mode?")
	case lines > 1:
		return 0, nil, fmt.Errorf("it printed %d results, one was asked for", lines)
	}
	return iterations, values, nil
}
