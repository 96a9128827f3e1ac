package experiment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// maxFailures is how often a benchmark may fail in a mode before it is no
// longer run there.
const maxFailures = 3

// What Document.Stopped says of an experiment that left questions open.
const (
	LastLook    = "last look" // it ran all of its blocks
	OutOfTime   = "budget"
	Interrupted = "interrupted"
)

// measure runs blocks until every question is decided, the last look is
// reached or the budget is spent.
func (e *experiment) measure(ctx context.Context) error {
	looks := e.looks()
	e.doc.Looks = looks
	last := looks[len(looks)-1]
	start, first := time.Now(), e.doc.Blocks
	for block := first + 1; ; block++ {
		if slices.Contains(looks, block-1) {
			open, err := e.look(block - 1)
			if err != nil {
				return err
			}
			if open == 0 {
				e.doc.Stopped = "every question decided"
				return nil
			}
		}
		if block > last {
			e.doc.Stopped = LastLook
			return nil
		}
		n := block - 1 - first
		if spent := time.Since(start); n > 0 && spent+spent/time.Duration(n) > e.plan.Budget {
			e.doc.Stopped, e.doc.PerBlock = OutOfTime, spent.Seconds()/float64(n)
			if e.candidates() > 0 && !verdict.CanDecide(e.questions(), block-1, looks) {
				e.note("%v of measuring ended after %d blocks, too few to decide anything; the first look, at %d, takes about %v: give a larger -budget",
					e.plan.Budget.Round(time.Millisecond), block-1, looks[0], roundUp(spent/time.Duration(n)*time.Duration(looks[0])))
			}
			return nil
		}
		if err := e.undisturbed(ctx, block, start); err != nil {
			return err
		}
		e.doc.Blocks = block
		left := time.Since(start) / time.Duration(n+1) * time.Duration(last-block)
		e.plan.Handler.Handle(result.Progress{Phase: result.Measure, Done: block, Total: last,
			Doing: fmt.Sprintf("block %d", block), ETA: min(left, e.plan.Budget-time.Since(start))})
		if err := e.store.save(e.doc); err != nil {
			return err
		}
	}
}

// roundUp gives a duration that people would type.
func roundUp(d time.Duration) time.Duration {
	return (d + d/10).Truncate(10*time.Second) + 10*time.Second
}

// runBlock runs every mode of every benchmark once. The modes of a benchmark
// follow each other directly, in random order, so that what disturbs the
// machine for seconds disturbs all of a pair. A further try has an order of its own.
func (e *experiment) runBlock(ctx context.Context, block, try int) error {
	files, err := e.place()
	if err != nil {
		return err
	}
	defer files.close()
	rng := rand.New(rand.NewPCG(e.plan.Seed, uint64(block)|uint64(try)<<32))
	for _, b := range shuffled(rng, e.benches) {
		for _, arm := range shuffled(rng, e.arms()) {
			at := cellBench{arm.name, b.Key}
			if arm.cell.Err != nil || !arm.cell.has(b.Package) || e.failed[at] >= maxFailures || e.failed[cellBench{e.doc.Baseline, b.Key}] >= maxFailures {
				continue
			}
			file, err := files.file(arm, b.Package, block)
			if err != nil {
				return err
			}
			runs, err := e.timed(ctx, arm, b, file, block)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				e.failed[at]++
				e.failure(b.Key, arm.name, block, err)
				continue
			}
			for _, run := range runs {
				if err := e.store.add(run); err != nil {
					return err
				}
			}
			e.doc.Runs = append(e.doc.Runs, runs...)
		}
	}
	return nil
}

// timed is one run that counts: nothing is collected but what the system
// accounts anyway.
func (e *experiment) timed(ctx context.Context, a arm, b bench, file string, block int) ([]sample.Run, error) {
	inv := e.plan.Target.Invocation(a.cell, b.Key, file, b.iterations)
	inv.Timeout = e.plan.Timeout
	figures, err := e.plan.Target.Run(ctx, inv)
	if err != nil {
		return nil, err
	}
	var runs []sample.Run
	for _, f := range figures {
		k := b.key(f.Part)
		e.doubts.add(cellBench{a.name, k}, block, f.Doubts)
		runs = append(runs, sample.Run{Key: k, Mode: a.name, Block: block, Iterations: f.Iterations, Values: f.Values})
	}
	return runs, nil
}

// shuffled returns a random permutation of s and leaves s as it is.
func shuffled[T any](rng *rand.Rand, s []T) []T {
	out := make([]T, len(s))
	for i, j := range rng.Perm(len(s)) {
		out[i] = s[j]
	}
	return out
}
