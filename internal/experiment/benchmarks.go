package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// findBenchmarks lists the benchmarks of the baseline, and determines once for all modes how
// many iterations each runs. An experiment that continues uses the counts of its first part.
func (e *experiment) findBenchmarks(ctx context.Context) error {
	all, err := e.listPatiently(ctx)
	if err != nil {
		return err
	}
	found := e.choose(all)
	known := map[sample.Key]int{}
	for _, b := range e.doc.Benchmarks {
		known[b.Key] = b.Iterations
	}
	// How many benchmarks fit into the budget is estimated from their list, and again after
	// each calibration.
	var failed error           // the first failure
	var late *sample.Key       // the first benchmark that timed out
	var starts []time.Duration // the time of calibrations in addition to their runs
	var idle []bench           // benchmarks that allocate next to nothing once they are warm
	wanted, listed, healthy := e.plan.RunTime, meanStart(found), countHealthy(found)
	fitting, run := e.afford(usualStart(listed, nil), healthy)
	e.plan.RunTime = run
	for i, f := range found {
		b := bench{Key: f.Key, parts: e.plan.Target.Facts().Parts}
		b.iterations = known[b.keys()[0]]
		switch {
		case len(known) > 0 && b.iterations == 0:
			continue // the first part of the experiment has left it out, or it failed there
		case len(known) == 0 && f.Err == nil && e.plan.Select &&
			(len(e.benches) >= fitting || len(idle) > 0 && e.left() == 0):
			e.leftOut = append(e.leftOut, f.Key)
			continue
		}
		e.progress(result.Calibrate, i, len(found), f.Key.String())
		isIdle, err := e.calibrate(ctx, f, &b)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			e.failure(f.Key, e.cells[0].Mode.Name, 0, err)
			failed = cmp.Or(failed, fmt.Errorf("%s: %w", f.Key, err))
			if late == nil && timedOut(err) {
				late = &found[i].Key
			}
			continue
		case isIdle && e.plan.Select:
			idle = append(idle, b)
		default:
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
	// Idle benchmarks show little, so they get only the time that others have left.
	for _, b := range idle {
		if len(e.benches) < fitting {
			e.benches = append(e.benches, b)
		} else {
			e.leftOut = append(e.leftOut, b.Key)
		}
	}
	if e.plan.RunTime < wanted && len(e.benches) > 0 {
		each := "the benchmark"
		if n := len(e.benches); n > 1 {
			each = "each of " + plural(n, "benchmark")
		}
		e.note(
			"%s is profiled for %v instead of %v, to keep to the budget: give a larger -budget, or fewer with -bench",
			each, e.plan.RunTime.Round(time.Millisecond), wanted)
	}
	e.progress(result.Calibrate, len(found), len(found), "")
	if !e.recording { // Record begins with those that matter most
		inOrder(e.benches, all)
	}
	if len(e.benches) == 0 && failed == nil {
		return fmt.Errorf(
			"nothing to measure: the report that is compared with, or continued, has none of the benchmarks found, "+
				"such as %s; store it again, or choose others with -bench", found[0].Key)
	}
	if len(e.benches) == 0 && (late == nil || e.isWhole() || !e.retry(ctx, *late)) {
		return fmt.Errorf("nothing to measure: every benchmark fails on the baseline; first: %w", failed)
	}
	return e.findUnmatched(ctx, all)
}

// timedOut reports whether a run was stopped because it took too long.
func timedOut(err error) bool {
	var run *target.RunError
	return errors.As(err, &run) && run.TimedOut
}

// listPatiently lists the benchmarks of the baseline, and once more with more time if the first
// list timed out before it had any.
func (e *experiment) listPatiently(ctx context.Context) ([]target.Found, error) {
	all, err := e.list(ctx, e.cells[0], e.listing())
	late := slices.ContainsFunc(all, func(f target.Found) bool { return timedOut(f.Err) })
	if err != nil || !late || countHealthy(all) > 0 || ctx.Err() != nil || e.isWhole() {
		return all, err
	}
	e.patient = true
	return e.list(ctx, e.cells[0], e.timeout())
}

// isWhole reports whether a run is all of a command or a server's time: it has had as much as it
// may take, and a second one would wait for nothing.
func (e *experiment) isWhole() bool {
	f := e.plan.Target.Facts()
	return f.FixedLength || f.Run > 0
}

// retry calibrates a benchmark that timed out once more, for as long as the plan allows at
// all. It reports whether that leaves something to measure. The short timeouts keep one that
// hangs from taking the budget; on a busy machine, all may run into them.
func (e *experiment) retry(ctx context.Context, k sample.Key) bool {
	e.patient = true
	b := bench{Key: k, parts: e.plan.Target.Facts().Parts}
	if _, err := e.calibrate(ctx, target.Found{Key: k}, &b); err != nil {
		return false
	}
	e.benches = append(e.benches, b)
	e.doc.Failures = slices.DeleteFunc(e.doc.Failures, func(f result.Failure) bool { return f.Key == k })
	e.note("every benchmark timed out at first; only %s is measured, which takes long on this machine at present", k)
	return true
}

// calibrate determines the iterations of a benchmark, unless an earlier part of the experiment
// did. It reports whether the benchmark allocates almost nothing.
func (e *experiment) calibrate(ctx context.Context, f target.Found, b *bench) (idle bool, err error) {
	began := time.Now()
	if f.Err == nil && b.iterations == 0 {
		var c target.Calibration
		c, f.Err = e.plan.Target.Calibrate(ctx, e.cells[0], f.Key, e.plan.RunTime, e.timeout())
		for _, n := range c.Notes {
			e.note("%s", n)
		}
		b.iterations, idle = c.Iterations, c.Idle
	}
	b.start = time.Since(began) - calibratingRuns*e.plan.RunTime
	return idle, f.Err
}

// replan returns how many benchmarks fit if their processes start as fast as the calibrated
// ones. If not even all calibrated benchmarks fit, it leaves out the last of them. If
// recordings must be shorter than planned, it shortens all.
func (e *experiment) replan(start time.Duration, fitting int) int {
	if e.isWhole() {
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

// meanStart returns the mean time that benchmarks take in addition to their runs.
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
