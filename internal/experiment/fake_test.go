package experiment

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/machine"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// fake is a target whose runs start no process. A field that is nil behaves like a
// healthy program of one second.
type fake struct {
	Names []string `json:"names"` // of the benchmarks; nil is one, "A"

	text    func(mode string) string // that a mode's program consists of
	build   func(mode string) error
	listErr func(benchmark string) error
	figures func(r fakeRun) ([]target.Figures, error)

	listing     time.Duration   // the time until the first benchmark is known
	calibrating time.Duration   // of one benchmark
	idle        map[string]bool // benchmarks that allocate next to nothing
	starting    time.Duration   // of each run's process
	run         time.Duration   // of one run, if it is known; it takes a second all the same
	rates       map[string]float64
	profiling   time.Duration // of one benchmark; 0 leaves no profile

	lock sync.Mutex // of builds, which run at once
	runs int        // timed ones, so far
	ran  []string   // the files of the timed runs
}

// fakeRun is one timed run.
type fakeRun struct {
	mode, benchmark string
	n               int // how many timed runs came before it
}

func (f *fake) String() string { return "a fake" }

func (f *fake) Facts() target.Facts {
	return target.Facts{Kind: "fake", Builds: inject.Main, Run: f.run}
}

func (f *fake) Build(_ context.Context, c *target.Cell) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.build != nil {
		if err := f.build(c.Mode.Name); err != nil {
			return err
		}
	}
	text := "the program"
	if f.text != nil {
		text = f.text(c.Mode.Name)
	}
	c.Config.Prebuilt = true // no build information proves it
	file := filepath.Join(c.CacheDir, "program")
	c.Binaries = map[string][]string{"": {file}}
	return os.WriteFile(file, []byte(text), 0o755)
}

func (f *fake) Benchmarks(_ context.Context, _ *target.Cell, timeout time.Duration) ([]target.Found, error) {
	if f.listing > timeout {
		time.Sleep(timeout)
		late := &target.RunError{Reason: "timed out", TimedOut: true}
		return []target.Found{{Key: sample.Key{Benchmark: "(none yet)"}, Err: late}}, nil
	}
	time.Sleep(f.listing)
	names := f.Names
	if names == nil {
		names = []string{"A"}
	}
	var found []target.Found
	for _, n := range names {
		b := target.Found{Key: sample.Key{Benchmark: n}, Rate: f.rates[n]}
		if f.listErr != nil {
			b.Err = f.listErr(n)
		}
		found = append(found, b)
	}
	return found, nil
}

func (f *fake) Calibrate(
	_ context.Context, _ *target.Cell, k sample.Key, _, timeout time.Duration,
) (target.Calibration, error) {
	if f.calibrating > timeout {
		time.Sleep(timeout)
		reason := fmt.Sprintf("timed out after %v", timeout)
		return target.Calibration{}, &target.RunError{Reason: reason, TimedOut: true}
	}
	time.Sleep(f.calibrating)
	return target.Calibration{Iterations: 10, Idle: f.idle[k.Benchmark]}, nil
}

func (f *fake) Invocation(c *target.Cell, k sample.Key, binary string, iterations int) target.Invocation {
	return target.Invocation{Command: process.Command{Path: binary}, Key: k, Iterations: iterations, Remark: c.Mode.Name}
}

func (f *fake) Run(ctx context.Context, inv target.Invocation) ([]target.Figures, error) {
	if _, err := os.Stat(inv.Path); err != nil {
		return nil, err
	}
	time.Sleep(f.starting)
	r := fakeRun{inv.Remark, inv.Key.Benchmark, f.runs}
	if inv.Stderr != nil { // an untimed run
		return healthy(r), nil
	}
	f.runs++
	f.ran = append(f.ran, inv.Path)
	time.Sleep(time.Second) // of the bubble's clock
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if f.figures != nil {
		return f.figures(r)
	}
	return healthy(r), nil
}

func (f *fake) Profile(_ context.Context, _ *target.Cell, p target.Profiling) (process.Outcome, error) {
	if f.profiling == 0 {
		return process.Outcome{}, target.ErrNoProfile
	}
	time.Sleep(f.profiling)
	return process.Outcome{}, errors.Join(os.WriteFile(p.CPU, nil, 0o666), os.WriteFile(p.Heap, nil, 0o666))
}

// healthy are figures with noise of 1%, of which GOGC=400 saves a third.
func healthy(r fakeRun) []target.Figures {
	rng := rand.New(rand.NewPCG(1, uint64(r.n)))
	cpu := 1 + 0.01*rng.NormFloat64()
	if strings.Contains(r.mode, "GOGC=400") {
		cpu *= 2.0 / 3
	}
	return figures(cpu)
}

func figures(cpu float64) []target.Figures {
	return []target.Figures{{Iterations: 10, Values: map[string]float64{sample.Primary: cpu, "sec/op": cpu}}}
}

// quiet is a machine from which no time is stolen.
func quiet() machine.Time { return machine.Time{} }

// lab is where fakes are measured, apart from the user's own caches.
func lab(t *testing.T) string {
	t.Helper()
	if cache, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		t.Setenv("GOCACHE", filepath.Join(cache, "go-build")) // the go command's own stays, for it is slow without
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // on Linux; elsewhere cells of fakes are trimmed after some days
	return t.TempDir()
}

// planOf is a plan for a fake in the modes of a list, in dir.
func planOf(t *testing.T, f *fake, modes, dir string) Plan {
	t.Helper()
	parsed, err := mode.Parse(modes)
	if err != nil {
		t.Fatal(err)
	}
	return Plan{Target: f, Modes: parsed, Dir: dir, OutDir: filepath.Join(dir, "out"), Seed: 1, Budget: time.Hour, machineTime: quiet}
}

// begin runs a plan from its first block.
func begin(ctx context.Context, p Plan) (*result.Document, error) {
	doc := NewDocument()
	return doc, Run(ctx, p, doc, nil)
}

// modesIn returns the modes of a block's runs in their order.
func modesIn(doc *result.Document, block int) (modes []string) {
	for _, r := range doc.Runs {
		if r.Block == block {
			modes = append(modes, r.Benchmark+"/"+r.Mode)
		}
	}
	return modes
}

// notesOf joins the warnings of a document.
func notesOf(doc *result.Document) string { return strings.Join(doc.Warnings, "\n") }

var errBroken = errors.New("it does not work")

func failing(mode string) func(string) error {
	return func(m string) error {
		if m == mode {
			return fmt.Errorf("building: %w", errBroken)
		}
		return nil
	}
}
