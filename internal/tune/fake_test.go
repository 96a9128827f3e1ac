package tune

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// fake is a target whose runs start no process. It sleeps for as long as they
// would take.
type fake struct {
	Names []string

	ratios   map[string]float64 // CPU of a mode by that of the baseline; 1 where there is none
	noise    float64            // standard deviation of a run's CPU, as a share
	run      time.Duration      // of a run
	building time.Duration      // of a mode
	listing  time.Duration
	built    atomic.Int64 // time spent on building, where one is built at a time
	runs     uint64
}

func (f *fake) String() string      { return "a fake" }
func (f *fake) Facts() target.Facts { return target.Facts{Kind: "fake", Builds: inject.Main} }

func (f *fake) Build(_ context.Context, c *target.Cell) error {
	c.Config.Prebuilt = true // no build information proves it
	file := filepath.Join(c.CacheDir, "program")
	c.Binaries = map[string][]string{"": {file}}
	time.Sleep(f.building)
	f.built.Add(int64(f.building))
	return os.WriteFile(file, []byte("the program"), 0o755)
}

func (f *fake) Benchmarks(context.Context, *target.Cell, time.Duration) (found []target.Found, err error) {
	time.Sleep(f.listing)
	for _, n := range f.Names {
		found = append(found, target.Found{Key: sample.Key{Benchmark: n}})
	}
	return found, nil
}

func (f *fake) Calibrate(context.Context, *target.Cell, sample.Key, time.Duration, time.Duration) (target.Calibration, error) {
	time.Sleep(2 * f.run)
	return target.Calibration{Iterations: 10}, nil
}

func (f *fake) Invocation(c *target.Cell, k sample.Key, binary string, iterations int) target.Invocation {
	return target.Invocation{Command: process.Command{Path: binary}, Key: k, Iterations: iterations, Remark: c.Mode.Name}
}

func (f *fake) Run(ctx context.Context, inv target.Invocation) ([]target.Figures, error) {
	time.Sleep(f.run)
	f.runs++
	cpu := 1 + f.noise*rand.New(rand.NewPCG(1, f.runs)).NormFloat64()
	if r, ok := f.ratios[inv.Remark]; ok {
		cpu *= r
	}
	return []target.Figures{{Iterations: 10, Values: map[string]float64{sample.Primary: max(cpu, 0.1), "sec/op": cpu}}}, ctx.Err()
}

func (f *fake) Profile(context.Context, *target.Cell, target.Profiling) (process.Outcome, error) {
	return process.Outcome{}, target.ErrNoProfile
}

// planOf is a plan for a fake, apart from the user's own caches.
func planOf(t testing.TB, f *fake) Plan {
	if cache, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		t.Setenv("GOCACHE", filepath.Join(cache, "go-build")) // the go command's own stays, for it is slow without
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	return Plan{Target: f, Dir: t.TempDir(), OutDir: t.TempDir(), NewDocument: experiment.NewDocument}
}
