package target

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/cgroup"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/sample"
)

// Command is the target "a command that ends": one that is there already, or
// a main package that is built in every mode. One run is one operation.
type Command struct {
	Main   string   `json:"main,omitempty"`   // package to build; "" when Args[0] is a program
	Args   []string `json:"args,omitempty"`   // the program and its arguments, or the arguments of Main
	Memory int64    `json:"memory,omitempty"` // bytes of the control group that each run has to itself; 0 is none
	// ExitCode is the status with which a successful run ends, as a linter that
	// reports something ends with 1.
	ExitCode int `json:"exit_code,omitempty"`
}

func (t *Command) String() string {
	words := t.Args
	if t.Main != "" {
		words = append([]string{t.Main}, words...)
	}
	return strings.Join(words, " ") + within(t.Memory)
}

// program returns the program that is there already with its arguments; nil if it is built.
func (t *Command) program() []string {
	if t.Main != "" {
		return nil
	}
	return t.Args
}

// Program returns the program that a target starts and does not build, with its arguments.
func Program(t Target) []string {
	if p, ok := t.(interface{ program() []string }); ok {
		return p.program()
	}
	return nil
}

// Facts of a program that is there already name no packages.
func (t *Command) Facts() Facts {
	f := Facts{Kind: "command", Builds: inject.Main, FixedLength: true}
	if t.Main != "" {
		f.Packages = []string{t.Main}
	}
	return f
}

// within names the memory limit of a run, if it has one.
func within(memory int64) string {
	if memory == 0 {
		return ""
	}
	return " in a memory cgroup of " + format.Bytes(float64(memory))
}

// Open checks whether this machine can bound the memory of a run.
func (t *Command) Open(context.Context, string) error { return bounded(t.Memory) }

func bounded(memory int64) error {
	if memory == 0 {
		return nil
	}
	return cgroup.Available()
}

// name is the last element of the path; -main . has the name of its package's path.
func (t *Command) name(c *Cell) string {
	if t.Main == "" {
		return filepath.Base(t.Args[0])
	}
	name := path.Base(path.Clean(filepath.ToSlash(t.Main)))
	if name == "." || name == ".." {
		return path.Base(majorVersion.ReplaceAllString(c.Program, ""))
	}
	return name
}

// majorVersion is the end of the path of a module such as example.org/tool/v2.
var majorVersion = regexp.MustCompile(`/v[0-9]+$`)

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
		return fmt.Errorf("-main %s is not one main package; give the path of a folder with a func main", t.Main)
	}
	files, err := link(ctx, c, pkgs[0], inject.Main, "build")
	if err != nil {
		return fmt.Errorf("%s: %w", t.Main, err)
	}
	c.Binaries, c.Program = map[string][]string{"": files}, pkgs[0].ImportPath
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
	k := sample.Key{Benchmark: t.name(c)}
	inv := t.Invocation(c, k, c.Binaries[""][0], 1)
	inv.Timeout = timeout
	out, err := runToEnd(ctx, inv)
	var failed *RunError
	if err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	switch {
	case out.TimedOut:
		failed.Reason += "; a server, which does not end by itself, needs -url; a longer command needs a larger -budget, or -run-timeout where that is given"
	case failed != nil && 0 < out.ExitCode && out.ExitCode <= 255:
		failed.Reason += fmt.Sprintf("; if that is how a successful run ends, give -exit-code %d", out.ExitCode)
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
	cmd := process.Command{Path: binary, Args: args, Dir: c.Dir, Env: mode.RunEnv(c.Config), Memory: t.Memory, ExitCode: t.ExitCode}
	return Invocation{Command: cmd, Key: k, Iterations: 1}
}

// Run adds nothing to the figures that the system gives for the process.
func (t *Command) Run(ctx context.Context, inv Invocation) ([]Figures, error) {
	out, err := runToEnd(ctx, inv)
	if err != nil {
		return nil, err
	}
	return []Figures{processFigures(out, 1, nil)}, nil
}

// Profile runs the command linked once more with code that writes profiles: a
// command has no flag for it, and the binary that is timed stays as it is.
func (t *Command) Profile(ctx context.Context, c *Cell, p Profiling) (process.Outcome, error) {
	inv, err := t.profiled(ctx, c, p)
	if err != nil {
		return process.Outcome{}, err
	}
	inv.Timeout = p.Timeout
	out, err := runToEnd(ctx, inv)
	if err != nil || out.Wall >= shortRun {
		return out, err
	}
	if p.Trace != "" { // the runtime writes it out once a second: trace half of a further run, which may be faster
		inv.Env = append(slices.Clone(inv.Env), "HEAPWRIGHT_EXECTRACE_FOR="+(out.Wall/2).String())
		return runToEnd(ctx, inv)
	}
	return t.profileShort(ctx, inv, p, out)
}

const (
	// shortRun leaves too few whole slices of a second to be profiled in one run.
	shortRun = 3 * time.Second
	// shortRuns and leastSlice bound how often a short command is run, and in how
	// short slices. Ending a slice takes a tenth of a second.
	shortRuns  = 30
	leastSlice = 20 * time.Millisecond
)

// profileShort runs a command that ends soon again and again, with shorter slices,
// until it was profiled for about as long as another one would be.
func (t *Command) profileShort(ctx context.Context, inv Invocation, p Profiling, out process.Outcome) (process.Outcome, error) {
	slice := max(leastSlice, out.Wall/8)
	env := append(slices.Clone(inv.Env), "HEAPWRIGHT_SLICE="+slice.String())
	for n, spent := 0, out.Wall; n < shortRuns && spent < shortRun; n, spent = n+1, spent+out.Wall {
		// The last file of a run may be incomplete: the next run overwrites it.
		inv.Env = append(slices.Clone(env), fmt.Sprintf("HEAPWRIGHT_FIRSTSLICE=%d", max(0, files(p.CPU)-1)))
		var err error
		if out, err = runToEnd(ctx, inv); err != nil {
			return out, err
		}
	}
	return out, keepLast(p.Heap)
}

// files counts the files NAME.0, NAME.1 and so on.
func files(name string) (n int) {
	for ; ; n++ {
		if _, err := os.Stat(fmt.Sprintf("%s.%d", name, n)); err != nil {
			return n
		}
	}
}

// keepLast keeps the last two of the files NAME.0, NAME.1 and so on, the last of
// which may be incomplete: heap profiles of several processes do not add up.
func keepLast(name string) error {
	n := files(name)
	if name == "" || n <= 2 {
		return nil
	}
	for i := range n - 2 {
		if err := os.Remove(fmt.Sprintf("%s.%d", name, i)); err != nil {
			return err
		}
	}
	for i := range 2 {
		if err := os.Rename(fmt.Sprintf("%s.%d", name, n-2+i), fmt.Sprintf("%s.%d", name, i)); err != nil {
			return err
		}
	}
	return nil
}

// buildProfiled links the command with the injection that leaves all of a run, or
// with the other one where that cannot be: the toolchain is too old, or GOFLAGS has
// flags for the linker, which flags on a command line replace.
func (t *Command) buildProfiled(ctx context.Context, c *Cell) error {
	own, flags := c.Injections, c.Config.BuildFlags
	if !slices.ContainsFunc(mode.BuildEnv(c.Config), func(v string) bool { return strings.HasPrefix(v, "GOFLAGS=") && strings.Contains(v, "-ldflags") }) {
		c.Injections = append(slices.Clone(own), inject.ProfilesAtExit())
		c.Config.BuildFlags = append(slices.Clone(flags), mode.LinkFlag(c.Config, "-checklinkname=0"))
		if err := t.Build(ctx, c); err == nil || ctx.Err() != nil {
			return err
		}
	}
	c.Injections, c.Config.BuildFlags = append(slices.Clone(own), inject.Profiles()), flags
	return t.Build(ctx, c)
}

func (t *Command) profiled(ctx context.Context, c *Cell, p Profiling) (Invocation, error) {
	if t.Main == "" {
		return Invocation{}, fmt.Errorf("%w: %s is built already and cannot be made to write any; give -main PACKAGE",
			ErrNoProfile, t.Args[0])
	}
	other := *c
	other.CacheDir = filepath.Join(c.CacheDir, "profiled")
	err := t.buildProfiled(ctx, &other)
	c.Compiling = other.Compiling
	if err != nil {
		return Invocation{}, err
	}
	inv := t.Invocation(&other, sample.Key{}, other.Binaries[""][0], 1)
	if p.Trace != "" {
		inv.Env = append(inv.Env, "HEAPWRIGHT_EXECTRACE="+p.Trace)
		return inv, nil
	}
	inv.Env = append(inv.Env, "HEAPWRIGHT_CPUPROFILE="+p.CPU)
	if p.Heap != "" {
		inv.Env = append(inv.Env, "HEAPWRIGHT_HEAPPROFILE="+p.Heap)
	}
	return inv, nil
}
