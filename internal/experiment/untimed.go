package experiment

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// probeAll runs every benchmark once in every mode with all collectors on.
// These runs are never timed: they warm the machine up, give the collector's
// figures, and prove that the run is in the mode that it should be in.
func (e *experiment) probeAll(ctx context.Context) error {
	total, done, began := len(e.benches)*len(e.cells), 0, time.Now()
	defer func() { e.probing = time.Since(began) }()
	// A benchmark that fails in one mode is still measured in the others.
	for _, c := range e.cells {
		for _, b := range e.benches {
			done++
			if c.Err != nil || e.skips(c, b.Key) {
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
	// Whatever the runs could not prove is said beside the results.
	for _, c := range e.cells {
		for _, pkg := range slices.Sorted(maps.Keys(c.Unprobed)) {
			e.note("%s: %s is built without the probe: the go command adds nothing to the standard library of a toolchain that is in the module cache. Figures of its collector come from gctrace alone, and no run proves its settings", c.Mode.Name, cmp.Or(pkg, e.plan.Target.String()))
		}
		if !e.runs(c) {
			continue // the failures say why nothing is proven
		}
		for _, doubt := range c.Mode.Doubts(c.Config, c.Identity) {
			e.note("%s: %s", c.Mode.Name, doubt)
		}
	}
	// Effects are relative to the baseline, so without it there is nothing to measure.
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
		switch _, explained := e.doc.Missing[m.Name]; {
		case e.known[m.Name]:
			delete(e.doc.Missing, m.Name)
		case m.Served: // a server has reported why it is missing
		case !explained && !strings.HasSuffix(m.Name, "/op"):
			e.doc.Missing[m.Name] = runtime.GOOS + " does not report it for a process that has ended"
		}
	}
}

func (e *experiment) probeOne(ctx context.Context, c *target.Cell, b bench) ([]sample.Run, error) {
	// A dump of the run before must not pass for this one's.
	file := filepath.Join(e.scratch, "probe")
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var tracer probe.Tracer
	inv := e.plan.Target.Invocation(c, b.Key, c.Binary(b.Package, 0), b.iterations)
	inv.Env = observed(c.Config, file)
	inv.Stderr = &tracer
	inv.Timeout = e.timeout()
	if c == e.cells[0] {
		inv.Timeout = e.plan.Timeout // the calibration has ended, so this one does not hang
	}
	if c.Probed(b.Package) {
		inv.Dump = file
	}
	figures, err := e.carryOut(ctx, b, inv)
	if err != nil {
		return nil, err
	}
	// The dump has the settings that the run really had.
	var dump *probe.Dump
	if inv.Dump != "" {
		d, err := probe.ReadDump(file)
		if err != nil {
			return nil, err
		}
		dump = &d
		// A mode that did not take effect is never measured as another one.
		c.Identity = d.Identify(c.Identity)
		if err := c.Mode.Verify(c.Config, c.Identity); err != nil {
			c.Fail(err)
			return nil, err
		}
	}
	// A dump or a trace of the whole process says nothing about one of several parts.
	trace := tracer.Trace()
	var runs []sample.Run
	for _, f := range figures {
		k := b.key(f.Part)
		of := &trace
		switch {
		case f.Dump != nil:
		case f.Part == "":
			f.Dump = dump
		default: // the collections of this part are not known
			of = nil
		}
		values, missing := probe.GC(e.plan.Target.Facts().Builds == inject.Main, f.Iterations, f.Dump, of)
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
	return append(mode.RunEnv(cfg), "GODEBUG="+debug, "HEAPWRIGHT_PROBE="+file,
		"HEAPWRIGHT_PROBE_ENV="+strings.Join(names, ","))
}
