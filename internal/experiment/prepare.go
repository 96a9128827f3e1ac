package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// findBenchmarks lists the benchmarks of the baseline and fixes, once for all
// modes, how many iterations each runs. An experiment that goes on takes the
// counts of its first part.
func (e *experiment) findBenchmarks(ctx context.Context) error {
	base := e.cells[0]
	all, err := e.list(ctx, base, e.listing())
	if err != nil {
		return err
	}
	found := e.choose(all)
	known := map[sample.Key]int{}
	for _, b := range e.doc.Benchmarks {
		known[b.Key] = b.Iterations
	}
	var failed []error
	var starts []time.Duration // of calibrations, beside their runs
	var idle []bench           // that allocate next to nothing once they are warm
	wanted, listed, healthy := e.plan.RunTime, meanStart(found), countHealthy(found)
	fitting, run := e.afford(usualStart(listed, nil), healthy)
	e.plan.RunTime = run
	for i, f := range found {
		b := bench{Key: f.Key, parts: e.plan.Target.Facts().Parts}
		b.iterations = known[b.keys()[0]]
		switch {
		case len(known) > 0 && b.iterations == 0:
			continue // the first part of the experiment left it out, or it failed there
		case len(known) == 0 && f.Err == nil && e.plan.Select && (len(e.benches) >= fitting || len(idle) > 0 && e.left() == 0):
			e.leftOut = append(e.leftOut, f.Key)
			continue
		}
		e.progress(result.Calibrate, i, len(found), f.Key.String())
		began, isIdle := time.Now(), false
		if f.Err == nil && b.iterations == 0 {
			var c target.Calibration
			c, f.Err = e.plan.Target.Calibrate(ctx, base, f.Key, e.plan.RunTime, e.timeout())
			b.iterations = c.Iterations
			isIdle = c.Idle && e.plan.Select
			for _, n := range c.Notes {
				e.note("%s", n)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if f.Err != nil {
			e.failure(f.Key, base.Mode.Name, 0, f.Err)
			failed = append(failed, fmt.Errorf("%s: %w", f.Key, f.Err))
			continue
		}
		b.start = time.Since(began) - calibratingRuns*e.plan.RunTime
		if isIdle {
			idle = append(idle, b)
		} else {
			e.benches = append(e.benches, b)
		}
		if len(known) > 0 {
			continue
		}
		starts = append(starts, b.start)
		if e.recording {
			fitting = healthy // a benchmark that starts late may have made too few of them fit
		}
		fitting = e.replan(usualStart(listed, starts), fitting)
	}
	for _, b := range idle {
		if len(e.benches) < fitting {
			e.benches = append(e.benches, b)
		} else {
			e.leftOut = append(e.leftOut, b.Key)
		}
	}
	if e.plan.RunTime < wanted && len(e.benches) > 0 {
		e.note("each of %s is profiled for %v instead of %v, to keep to the budget: give a larger -budget, or fewer with -bench",
			plural(len(e.benches), "benchmark"), e.plan.RunTime.Round(time.Millisecond), wanted)
	}
	e.progress(result.Calibrate, len(found), len(found), "")
	inOrder(e.benches, all)
	if len(e.benches) == 0 {
		return fmt.Errorf("nothing to measure: every benchmark fails on the baseline; first: %w", errors.Join(failed[:min(1, len(failed))]...))
	}
	return e.findUnmatched(ctx, all)
}

// replan returns how many benchmarks fit if their processes start like those that
// are calibrated, and leaves out the last of these where not even they do. Where
// recordings must be shorter than planned, all are.
func (e *experiment) replan(start time.Duration, fitting int) int {
	facts := e.plan.Target.Facts()
	if facts.FixedLength || facts.Run > 0 {
		return fitting
	}
	n, run := e.afford(start, fitting)
	if run < e.plan.RunTime {
		for i := range e.benches {
			e.benches[i].iterations = max(1, int(float64(e.benches[i].iterations)*float64(run)/float64(e.plan.RunTime)))
		}
		e.plan.RunTime = run
	}
	for len(e.benches) > n {
		last := len(e.benches) - 1
		e.leftOut = slices.Insert(e.leftOut, 0, e.benches[last].Key)
		e.benches = e.benches[:last]
	}
	return n
}

// inOrder sorts benchmarks as the target lists them.
func inOrder(benches []bench, listed []target.Found) {
	place := map[sample.Key]int{}
	for i, f := range listed {
		place[f.Key] = i
	}
	slices.SortStableFunc(benches, func(a, b bench) int { return cmp.Compare(place[a.Key], place[b.Key]) })
}

// meanStart returns the mean of the benchmarks' times beside their runs.
func meanStart(found []target.Found) (mean time.Duration) {
	for _, f := range found {
		mean += f.Start / time.Duration(len(found))
	}
	return mean
}

// countHealthy counts the benchmarks that can be run.
func countHealthy(found []target.Found) (n int) {
	for _, f := range found {
		if f.Err == nil {
			n++
		}
	}
	return n
}

// list returns the benchmarks that the plan names, or those that a cell has.
func (e *experiment) list(ctx context.Context, c *target.Cell, timeout time.Duration) ([]target.Found, error) {
	if e.plan.Among == nil {
		return e.plan.Target.Benchmarks(ctx, c, timeout)
	}
	var found []target.Found
	for _, k := range e.plan.Among {
		found = append(found, target.Found{Key: k})
	}
	return found, nil
}

// findUnmatched lists benchmarks that only one of two revisions has, and notes
// those that only the other one has and that fail there. Within one revision a
// mode does not change which benchmarks there are.
func (e *experiment) findUnmatched(ctx context.Context, ours []target.Found) error {
	e.doc.Unmatched = nil
	base := e.cells[0]
	limit := e.listing()
	if countHealthy(ours) == len(ours) { // else one list would be shorter than the other
		limit = e.timeout() // whatever was listed on the baseline just in time is no fault of another revision
	}
	for _, c := range e.cells[1:] {
		if c.Err != nil || c.Config.Revision == base.Config.Revision {
			continue
		}
		theirs, err := e.list(ctx, c, limit)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Mode.Name, err)
		}
		e.unmatched(ours, theirs, base)
		e.unmatched(theirs, ours, c)
		for _, f := range theirs {
			if f.Err != nil && !lists(ours, f.Key) { // else its own run tells
				e.failure(f.Key, c.Mode.Name, 0, f.Err)
			}
		}
	}
	return nil
}

// unmatched notes the benchmarks that one cell has and another has not. A package's
// list that ends in a failure tells nothing of the rest.
func (e *experiment) unmatched(has, hasNot []target.Found, c *target.Cell) {
	for _, f := range has {
		cutShort := slices.ContainsFunc(hasNot, func(g target.Found) bool { return g.Package == f.Package && g.Err != nil })
		if f.Err == nil && !cutShort && !lists(hasNot, f.Key) {
			e.doc.Unmatched = append(e.doc.Unmatched, result.Unmatched{Key: f.Key, Mode: c.Mode.Name})
		}
	}
}

func lists(found []target.Found, k sample.Key) bool {
	return slices.ContainsFunc(found, func(f target.Found) bool { return f.Key == k })
}

// probeAll runs every benchmark once in every mode with all collectors on.
// These runs are never timed: they warm the machine up, give the collector's
// figures, and prove that the run is in the mode that it should be in.
func (e *experiment) probeAll(ctx context.Context) error {
	total, done, began := len(e.benches)*len(e.cells), 0, time.Now()
	defer func() { e.probing = time.Since(began) }()
	for _, c := range e.cells {
		for _, b := range e.benches {
			done++
			if c.Err != nil {
				continue
			}
			if !c.Has(b.Package) {
				e.failure(b.Key, c.Mode.Name, 0, errors.New("the package has no tests in this mode"))
				continue
			}
			e.progress(result.Probe, done-1, total, c.Mode.Name+" · "+b.String())
			runs, err := e.probeOne(ctx, c, b)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				e.failure(b.Key, c.Mode.Name, 0, err)
				e.failed[cellBench{c.Mode.Name, b.Key}] = maxFailures
				continue
			}
			e.doc.Untimed = append(e.doc.Untimed, runs...)
		}
	}
	e.progress(result.Probe, total, total, "")
	e.nameMissing()
	for _, c := range e.cells {
		for _, pkg := range slices.Sorted(maps.Keys(c.Unprobed)) {
			e.note("%s: %s is built without the probe: the go command adds nothing to the standard library of a toolchain that is in the module cache. Figures of its collector come from gctrace alone, and no run proves its settings", c.Mode.Name, cmp.Or(pkg, e.plan.Target.String()))
		}
		if !e.runs(c) {
			continue // its failures say why nothing is proven
		}
		for _, doubt := range c.Mode.Doubts(c.Config, c.Identity) {
			e.note("%s: %s", c.Mode.Name, doubt)
		}
	}
	if err := e.cells[0].Err; err != nil {
		return err
	}
	if e.runs(e.cells[0]) {
		return nil
	}
	return errors.New("nothing to measure: every benchmark fails on the baseline; see the failures above")
}

// runs reports whether any benchmark may still be run in a cell.
func (e *experiment) runs(c *target.Cell) bool {
	return c.Err == nil && slices.ContainsFunc(e.benches, func(b bench) bool {
		return e.failed[cellBench{c.Mode.Name, b.Key}] < maxFailures
	})
}

// nameMissing says of each metric that no run had why it is not there, so that
// a reader does not take its absence for a zero.
func (e *experiment) nameMissing() {
	for _, m := range sample.Metrics() {
		switch _, told := e.doc.Missing[m.Name]; {
		case e.known[m.Name]:
			delete(e.doc.Missing, m.Name)
		case m.Served: // the target has told, if it is one
		case !told && !strings.HasSuffix(m.Name, "/op"):
			e.doc.Missing[m.Name] = runtime.GOOS + " does not report it for a process that has ended"
		}
	}
}

func (e *experiment) probeOne(ctx context.Context, c *target.Cell, b bench) ([]sample.Run, error) {
	file := filepath.Join(e.scratch, "probe")
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var tracer probe.Tracer
	inv := e.plan.Target.Invocation(c, b.Key, c.Binary(b.Package, 0), b.iterations)
	inv.Env = observed(c.Config, file)
	inv.Stderr = &tracer
	inv.Timeout = e.timeout()
	if c.Probed(b.Package) {
		inv.Dump = file
	}
	figures, err := e.carryOut(ctx, b, inv)
	if err != nil {
		return nil, err
	}
	var dump *probe.Dump
	if inv.Dump != "" {
		d, err := probe.ReadDump(file)
		if err != nil {
			return nil, err
		}
		dump = &d
		c.Identity = d.Identify(c.Identity)
		if err := c.Mode.Verify(c.Config, c.Identity); err != nil {
			c.Fail(err)
			return nil, err
		}
	}
	trace := tracer.Trace()
	var runs []sample.Run
	for _, f := range figures {
		k := b.key(f.Part)
		of := &trace
		switch {
		case f.Dump != nil:
		case f.Part == "":
			f.Dump = dump
		default: // nothing tells which collections were this part's
			of = nil
		}
		values, missing := probe.GC(e.plan.Target.Facts().Builds, f.Iterations, f.Dump, of)
		maps.Copy(e.doc.Missing, missing)
		maps.Copy(e.doc.Missing, f.Missing)
		maps.Copy(values, f.Untimed)
		for metric := range f.Values {
			e.known[metric] = true
		}
		for metric := range values {
			e.known[metric] = true
		}
		runs = append(runs, sample.Run{Key: k, Mode: c.Mode.Name, Block: 1, Iterations: f.Iterations, Values: values})
	}
	return runs, nil
}

// observed is the environment of a run with all collectors on: the mode's own,
// gctrace, and the probe with the names of the variables that the mode sets.
func observed(cfg mode.Config, file string) []string {
	debug := "gctrace=1"
	if own := cfg.RunEnv["GODEBUG"]; own != "" {
		debug = own + "," + debug
	}
	names := slices.Sorted(maps.Keys(cfg.RunEnv))
	return append(mode.RunEnv(cfg), "GODEBUG="+debug, "HEAPWRIGHT_PROBE="+file, "HEAPWRIGHT_PROBE_ENV="+strings.Join(names, ","))
}
