package experiment

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/sample"
)

// Command is the target "a command that ends": one that is there already, or
// a main package that is built in every mode. One run is one operation.
type Command struct {
	Main   string   // package to build; "" when Args[0] is a program
	Args   []string // the program and its arguments, or the arguments of Main
	Memory int64    // bytes of the control group that each run has to itself; 0 is none
}

func (t *Command) String() string {
	words := t.Args
	if t.Main != "" {
		words = append([]string{t.Main}, words...)
	}
	return strings.Join(words, " ") + within(t.Memory)
}

// within says what memory a run has, if that is bounded.
func within(memory int64) string {
	if memory == 0 {
		return ""
	}
	return fmt.Sprintf(" in a memory cgroup of %.4g MiB", float64(memory)/(1<<20))
}

func (t *Command) name() string {
	if t.Main != "" {
		return path.Base(filepath.ToSlash(t.Main))
	}
	return filepath.Base(t.Args[0])
}

// Build links the main package, or finds the program. A program that is there
// already can only be run with another environment.
func (t *Command) Build(ctx context.Context, c *Cell) error {
	if t.Main == "" {
		if part := mode.BuildPart(c.Config); part != "" {
			return fmt.Errorf("%s changes the build, but %s is built already; give -main PACKAGE to have it built in every mode", part, t.Args[0])
		}
		c.Config.Prebuilt = true
		file, err := lookPath(c.Dir, t.Args[0])
		if err != nil {
			return err
		}
		c.Binaries = map[string][]string{"": {file}}
		return nil
	}
	pkgs, err := listPackages(ctx, c, []string{t.Main})
	if err != nil {
		return err
	}
	if len(pkgs) != 1 || pkgs[0].Name != "main" {
		return fmt.Errorf("-main %s is not one main package", t.Main)
	}
	files, err := link(ctx, c, pkgs[0], probe.Main, "build")
	if err != nil {
		return fmt.Errorf("%s: %w", t.Main, err)
	}
	c.Binaries = map[string][]string{"": files}
	return nil
}

// lookPath finds a program as a shell in dir would.
func lookPath(dir, name string) (string, error) {
	place := name
	if strings.ContainsAny(name, `/\`) && !filepath.IsAbs(name) {
		place = filepath.Join(dir, name)
	}
	file, err := exec.LookPath(place)
	if err != nil {
		return "", fmt.Errorf("command not found: %s; give its path, or -main PACKAGE to have it built", name)
	}
	return filepath.Abs(file)
}

func (t *Command) Benchmarks(ctx context.Context, c *Cell, timeout time.Duration) ([]Found, error) {
	k := sample.Key{Benchmark: t.name()}
	inv := t.Invocation(c, k, c.Binaries[""][0], 1)
	inv.Timeout = timeout
	_, err := runToEnd(ctx, inv)
	if err != nil && !errors.As(err, new(*RunError)) {
		return nil, err
	}
	return []Found{{Key: k, Err: err}}, nil
}

// Calibrate is always one: a command is run whole.
func (t *Command) Calibrate(context.Context, *Cell, sample.Key, time.Duration, time.Duration) (Calibration, error) {
	return Calibration{Iterations: 1}, nil
}

func (t *Command) Invocation(c *Cell, k sample.Key, binary string, _ int) Invocation {
	args := t.Args
	if t.Main == "" {
		args = args[1:]
	}
	cmd := probe.Command{Path: binary, Args: args, Dir: c.Dir, Env: mode.RunEnv(c.Config), Memory: t.Memory}
	return Invocation{Command: cmd, Key: k, Iterations: 1}
}

// Run has nothing to add to what the process is accounted.
func (t *Command) Run(ctx context.Context, inv Invocation) ([]Figures, error) {
	out, err := runToEnd(ctx, inv)
	if err != nil {
		return nil, err
	}
	return []Figures{processFigures(out, 1, nil)}, nil
}

func (t *Command) Patterns() []string {
	if t.Main == "" {
		return nil
	}
	return []string{t.Main}
}

func (t *Command) Kind() probe.Kind { return probe.Main }

// Profile links the command once more with code that writes profiles: a
// command has no flag for it, and the binary that is timed stays as it is.
func (t *Command) Profile(ctx context.Context, c *Cell, _, prefix string, timeout time.Duration) error {
	inv, err := t.profiled(ctx, c, prefix)
	if err != nil {
		return err
	}
	inv.Timeout = timeout
	_, err = runToEnd(ctx, inv)
	return err
}

// Record has the binary that writes CPU profiles write heap profiles as well.
func (t *Command) Record(ctx context.Context, c *Cell, _ sample.Key, _ int, dir string, timeout time.Duration) (probe.Outcome, error) {
	inv, err := t.recorded(ctx, c, dir)
	if err != nil {
		return probe.Outcome{}, err
	}
	inv.Timeout = timeout
	return runToEnd(ctx, inv)
}

func (t *Command) recorded(ctx context.Context, c *Cell, dir string) (Invocation, error) {
	inv, err := t.profiled(ctx, c, filepath.Join(dir, "cpu"))
	inv.Env = append(inv.Env, "HEAPWRIGHT_HEAPPROFILE="+filepath.Join(dir, "heap"))
	return inv, err
}

func (t *Command) profiled(ctx context.Context, c *Cell, prefix string) (Invocation, error) {
	if t.Main == "" {
		return Invocation{}, fmt.Errorf("%w: %s is built already and cannot be made to write any; give -main PACKAGE", ErrNoProfile, t.Args[0])
	}
	other := *c
	other.CacheDir = filepath.Join(c.CacheDir, "profiled")
	other.Injections = append(slices.Clone(c.Injections), probe.Profiles())
	if err := t.Build(ctx, &other); err != nil {
		return Invocation{}, err
	}
	inv := t.Invocation(&other, sample.Key{}, other.Binaries[""][0], 1)
	inv.Env = append(inv.Env, "HEAPWRIGHT_CPUPROFILE="+prefix)
	return inv, nil
}
