package experiment

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// Recording holds the profiles and figures of one run of a benchmark with profiling
// on.
type Recording struct {
	sample.Key
	CPU, Heap []string    // files of profiles, in time order
	Dump      *probe.Dump // the dump of another, shorter run; nil where the target was not built here
	DumpTime  float64     // seconds that this run took on the clock
	Usage     process.Usage
	Seconds   float64       // the time on the clock
	RunTime   time.Duration // the time that was asked for
}

// Start returns the time that a process of the benchmark takes beside its run: the
// dump's run is a part of the profiled one, and starts as that did.
func (r *Recording) Start() time.Duration {
	if r.DumpTime == 0 {
		return startup
	}
	start := (r.DumpTime - dumpPart*r.Seconds) / (1 - dumpPart)
	return time.Duration(min(max(start, 0), r.Seconds) * float64(time.Second))
}

// Stretch returns the time of a run on the clock as a multiple of the time that was
// asked for: not all of an iteration is timed.
func (r *Recording) Stretch() float64 {
	if r.RunTime <= 0 {
		return 1
	}
	return max(1, (r.Seconds-r.Start().Seconds())/r.RunTime.Seconds())
}

// Record runs every benchmark once in the plan's first mode, for about RunTime, with CPU
// and heap profiles. It leaves the profiles in dir, and adds the runs to doc. It notes
// benchmarks that fail in doc, and returns an error only if all of them fail. The benchmarks
// that matter most come first.
func Record(ctx context.Context, plan Plan, doc *result.Document, dir string) ([]Recording, error) {
	plan, err := plan.withDefaults()
	if err != nil {
		return nil, err
	}
	plan.Modes = plan.Modes[:1] // profiles are of one mode
	e := &experiment{plan: plan, doc: doc, failed: map[cellBench]int{}, known: map[string]bool{}, recording: true}
	defer e.close()
	if err := e.newCells(ctx); err != nil {
		return nil, err
	}

	// Benchmarks that matter most come first: where recordings take longer than planned, the
	// last are left out. Builds do not count against the budget, so the clock begins after them.
	began := time.Now()
	if err := e.build(ctx); err != nil {
		return nil, err
	}
	e.proveBinaries()
	if err := e.cells[0].Err; err != nil {
		return nil, err
	}
	e.begin(time.Since(began))
	if err := e.findBenchmarks(ctx); err != nil {
		return nil, err
	}

	var all []Recording
	var first error
	recording := time.Now()
	for i, b := range e.benches {
		// The benchmarks fit by plan; one that takes twice as long moves the others.
		if n := len(all); n > 0 && time.Since(recording)/time.Duration(2*n) > e.left() {
			for _, b := range e.benches[i:] {
				e.leftOut = append(e.leftOut, b.Key)
			}
			break
		}
		e.progress(result.Probe, i, len(e.benches), b.String())
		r, err := e.record(ctx, b, filepath.Join(dir, fmt.Sprintf("%03d", i)))
		if ctx.Err() != nil {
			return all, ErrInterrupted
		}
		if err != nil {
			e.failure(b.Key, plan.Modes[0].Name, 0, err)
			if first == nil {
				first = fmt.Errorf("profiling %s: %w", b.Key, err)
			}
			continue
		}
		all = append(all, r)
	}
	e.progress(result.Probe, len(e.benches), len(e.benches), "")
	e.noteLeftOut()
	e.describe()
	if len(all) == 0 {
		return nil, first
	}
	return all, nil
}

// record profiles a benchmark that was calibrated: it ends, however busy the machine is.
func (e *experiment) record(ctx context.Context, b bench, dir string) (Recording, error) {
	r := Recording{Key: b.Key}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return r, err
	}
	c := e.cells[0]
	compiling := c.Compiling
	out, err := e.plan.Target.Profile(ctx, c, target.Profiling{Key: b.Key, Iterations: b.iterations,
		CPU: filepath.Join(dir, "cpu"), Heap: filepath.Join(dir, "heap"), Timeout: e.plan.Timeout})
	e.built(c.Compiling - compiling)
	if err != nil {
		return r, err
	}
	r.Usage, r.Seconds, r.RunTime = out.Usage, out.Wall.Seconds(), e.plan.RunTime
	if r.CPU, err = recorded(dir, "cpu"); err != nil {
		return r, err
	}
	if r.Heap, err = recorded(dir, "heap"); err != nil {
		return r, err
	}
	if c.Probed(b.Package) {
		r.Dump, r.DumpTime, err = e.dump(ctx, c, b, filepath.Join(dir, "probe"))
	}
	return r, err
}

// dump runs the benchmark once more with the probe, whose writing after every
// collection would appear in the profiles. A quarter of the time is enough for
// sizes and shares.
func (e *experiment) dump(ctx context.Context, c *target.Cell, b bench, file string) (*probe.Dump, float64, error) {
	n := max(1, int(dumpPart*float64(b.iterations)))
	if b.parts != nil {
		n = b.iterations // the run is a part of the whole load
	}
	inv := e.plan.Target.Invocation(c, b.Key, c.Binary(b.Package, 0), n)
	inv.Env = append(inv.Env, "HEAPWRIGHT_PROBE="+file)
	inv.Timeout, inv.Brief = e.plan.Timeout, true
	began := time.Now()
	if _, err := e.plan.Target.Run(ctx, inv); err != nil {
		return nil, 0, err
	}
	d, err := probe.ReadDump(file)
	return &d, time.Since(began).Seconds(), err
}

// recorded returns the files that a run left, NAME or NAME.0, NAME.1 and so on.
// The last of several may have been cut short by the end of the run and is left
// out; it holds less than a second.
func recorded(dir, name string) ([]string, error) {
	if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
		return []string{filepath.Join(dir, name)}, nil
	}
	var files []string
	for i := 0; ; i++ {
		file := filepath.Join(dir, fmt.Sprintf("%s.%d", name, i))
		if _, err := os.Stat(file); err != nil {
			break
		}
		files = append(files, file)
	}
	if len(files) < 2 {
		return nil, fmt.Errorf("%w: the run left none of %s; it ends too soon to be profiled: give it more to do",
			target.ErrNoProfile, name)
	}
	return files[:len(files)-1], nil
}
