package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

// ErrNoProfile says that a target cannot be profiled, though it can be run.
var ErrNoProfile = errors.New("no profile")

// Recording is what one run of a benchmark with profiling on left.
type Recording struct {
	sample.Key
	CPU, Heap []string    // files of profiles, in time order
	Dump      *probe.Dump // of another, shorter run; nil where the target was not built here
	DumpTime  float64     // seconds that this run took on the clock
	Usage     probe.Usage
	Seconds   float64 // on the clock
}

// Record runs every benchmark of the plan's first mode once for about RunTime,
// with CPU and heap profiles, which it leaves in dir, and fills doc with what
// was run. A benchmark that fails is noted in doc; it is an error if all do.
func Record(ctx context.Context, plan Plan, doc *result.Document, dir string) ([]Recording, error) {
	plan, err := plan.withDefaults()
	if err != nil {
		return nil, err
	}
	plan.Modes = plan.Modes[:1]
	e := &experiment{plan: plan, doc: doc, failed: map[cellBench]int{}, known: map[string]bool{}}
	defer e.close()
	if err := e.newCells(ctx); err != nil {
		return nil, err
	}
	if err := e.build(ctx); err != nil {
		return nil, err
	}
	e.proveBinaries()
	if err := e.cells[0].Err; err != nil {
		return nil, err
	}
	if err := e.findBenchmarks(ctx); err != nil {
		return nil, err
	}
	var all []Recording
	var first error
	for i, b := range e.benches {
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
	e.describe()
	if len(all) == 0 {
		return nil, first
	}
	return all, nil
}

const (
	// recordingRuns is how many runs of RunTime a recording is: finding the count
	// takes about two, the dump a quarter.
	recordingRuns = 3.25
	// inFull is how many are recorded for RunTime in any case. What few have for
	// samples is all that there is.
	inFull = 4
	// leastRecording is ten samples of CPU, which count together with the others'.
	leastRecording = 100 * time.Millisecond
)

// recordingTime is how long each of n benchmarks is recorded.
func (p Plan) recordingTime(n int) time.Duration {
	if p.Recordings == 0 || n == 0 {
		return p.RunTime
	}
	all := max(inFull*p.RunTime, time.Duration(float64(p.Recordings)/recordingRuns))
	return min(p.RunTime, max(leastRecording, all/time.Duration(n)))
}

func (e *experiment) record(ctx context.Context, b bench, dir string) (Recording, error) {
	r := Recording{Key: b.Key}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return r, err
	}
	c := e.cells[0]
	out, err := e.plan.Target.Record(ctx, c, b.Key, b.iterations, dir, e.plan.Timeout)
	if err != nil {
		return r, err
	}
	r.Usage, r.Seconds = out.Usage, out.Wall.Seconds()
	if r.CPU, err = recorded(dir, "cpu"); err != nil {
		return r, err
	}
	if r.Heap, err = recorded(dir, "heap"); err != nil {
		return r, err
	}
	if c.probed(b.Package) {
		r.Dump, r.DumpTime, err = e.dump(ctx, c, b, filepath.Join(dir, "probe"))
	}
	return r, err
}

// dump runs the benchmark once more for what the probe tells: its writing after
// every collection would stand in the profiles. A quarter of the time is enough
// for sizes and shares.
func (e *experiment) dump(ctx context.Context, c *Cell, b bench, file string) (*probe.Dump, float64, error) {
	n := max(1, b.iterations/4)
	if b.parts != nil {
		n = b.iterations // fewer requests would be another load, not a shorter one
	}
	inv := e.plan.Target.Invocation(c, b.Key, c.binary(b.Package, 0), n)
	inv.Env = append(inv.Env, "HEAPWRIGHT_PROBE="+file)
	inv.Timeout = e.plan.Timeout
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
		return nil, fmt.Errorf("%w: the run left none of %s; it must take CPU for some seconds", ErrNoProfile, name)
	}
	return files[:len(files)-1], nil
}
