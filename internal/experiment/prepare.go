package experiment

import (
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
)

// findBenchmarks lists the benchmarks of the baseline and fixes, once for all
// modes, how many iterations each runs. An experiment that goes on takes the
// counts of its first part.
func (e *experiment) findBenchmarks(ctx context.Context) error {
	base := e.cells[0]
	found, err := e.plan.Target.Benchmarks(ctx, base, e.plan.Timeout)
	if err != nil {
		return err
	}
	if short := e.plan.recordingTime(len(found)); short < e.plan.RunTime {
		e.note("each of %d benchmarks is profiled for %v instead of %v, to keep to the budget: give a larger -budget, or fewer with -bench",
			len(found), short.Round(time.Millisecond), e.plan.RunTime)
		e.plan.RunTime = short
	}
	known := map[sample.Key]int{}
	for _, b := range e.doc.Benchmarks {
		known[b.Key] = b.Iterations
	}
	var failed []error
	for i, f := range found {
		e.progress(result.Calibrate, i, len(found), f.Key.String())
		b := bench{f.Key, f.Parts, 0}
		b.iterations = known[b.keys()[0]]
		if f.Err == nil && b.iterations == 0 {
			var c Calibration
			c, f.Err = e.plan.Target.Calibrate(ctx, base, f.Key, e.plan.RunTime, e.plan.Timeout)
			b.iterations = c.Iterations
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
		e.benches = append(e.benches, b)
	}
	e.progress(result.Calibrate, len(found), len(found), "")
	if len(e.benches) == 0 {
		return fmt.Errorf("nothing to measure: every benchmark fails on the baseline; first: %w", failed[0])
	}
	return e.findUnmatched(ctx, found)
}

// findUnmatched lists benchmarks that only one of two revisions has, and notes
// those that only the other one has and that fail there. Within one revision a
// mode does not change which benchmarks there are.
func (e *experiment) findUnmatched(ctx context.Context, ours []Found) error {
	e.doc.Unmatched = nil
	base := e.cells[0]
	for _, c := range e.cells[1:] {
		if c.Err != nil || c.Config.Revision == base.Config.Revision {
			continue
		}
		theirs, err := e.plan.Target.Benchmarks(ctx, c, e.plan.Timeout)
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

// unmatched notes what one cell has and another has not. A package's list that
// ends in a failure tells nothing of the rest.
func (e *experiment) unmatched(has, hasNot []Found, c *Cell) {
	for _, f := range has {
		cutShort := slices.ContainsFunc(hasNot, func(g Found) bool { return g.Package == f.Package && g.Err != nil })
		if f.Err == nil && !cutShort && !lists(hasNot, f.Key) {
			e.doc.Unmatched = append(e.doc.Unmatched, result.Unmatched{Key: f.Key, Mode: c.Mode.Name})
		}
	}
}

func lists(found []Found, k sample.Key) bool {
	return slices.ContainsFunc(found, func(f Found) bool { return f.Key == k })
}

// probeAll runs every benchmark once in every mode with all collectors on.
// These runs are never timed: they warm the machine up, give the collector's
// figures, and prove that the run is in the mode that it should be in.
func (e *experiment) probeAll(ctx context.Context) error {
	total, done := len(e.benches)*len(e.cells), 0
	for _, c := range e.cells {
		for _, b := range e.benches {
			done++
			if c.Err != nil {
				continue
			}
			if !c.has(b.Package) {
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
			e.note("%s: %s is built without the probe, since Go lays nothing over the module cache: its collector's figures are gctrace's alone, its settings not proven by a run", c.Mode.Name, pkg)
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
func (e *experiment) runs(c *Cell) bool {
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
			e.doc.Missing[m.Name] = runtime.GOOS + " does not tell it of a process that has ended"
		}
	}
}

func (e *experiment) probeOne(ctx context.Context, c *Cell, b bench) ([]sample.Run, error) {
	file := filepath.Join(e.scratch, "probe")
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var tracer probe.Tracer
	inv := e.plan.Target.Invocation(c, b.Key, c.binary(b.Package, 0), b.iterations)
	inv.Env = observed(c.Config, file)
	inv.Stderr = &tracer
	inv.Timeout = e.plan.Timeout
	if c.probed(b.Package) {
		inv.Dump = file
	}
	figures, err := e.plan.Target.Run(ctx, inv)
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
			c.fail(err)
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
		values, missing := probe.GC(e.plan.Target.Kind(), f.Iterations, f.Dump, of)
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
