package experiment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// maxFailures is how often a benchmark may fail in a mode before it is no
// longer run there.
const maxFailures = 3

// The reasons for which an experiment ends, in Document.Stopped.
const (
	Decided     = "every question decided"
	AllBlocks   = "all blocks run" // questions are open, as at the others below
	OutOfTime   = "budget"
	Interrupted = "interrupted"
)

// measure runs blocks until every question is decided, all blocks are run or
// the budget is spent.
func (e *experiment) measure(ctx context.Context) error {
	analyses := e.planAnalyses()
	e.doc.Analyses = analyses
	last := analyses[len(analyses)-1]
	if err := e.keep(); err != nil {
		return err
	}
	start, first := time.Now(), e.doc.Blocks
	for block := first + 1; ; block++ {
		if slices.Contains(analyses, block-1) {
			open, err := e.analyse(block - 1)
			if err != nil {
				return err
			}
			if open == 0 {
				e.doc.Stopped = Decided
				return nil
			}
		}
		if block > last {
			e.doc.Stopped = AllBlocks
			return nil
		}
		n := block - 1 - first
		if spent := time.Since(start); n > 0 && spent/time.Duration(n) > e.left() {
			e.doc.Stopped = OutOfTime
			return nil
		}
		if err := e.measureBlock(ctx, block); err != nil {
			return err
		}
		e.doc.Blocks, e.doc.PerBlock = block, time.Since(start).Seconds()/float64(n+1)
		left := time.Since(start) / time.Duration(n+1) * time.Duration(last-block)
		e.ends = time.Now().Add(min(left, e.left()))
		e.measuring(block, fmt.Sprintf("block %d", block))
		if err := e.store.save(e.doc); err != nil {
			return err
		}
	}
}

// measuring reports progress by blocks. A run of a server takes half a minute, so each
// run is named.
func (e *experiment) measuring(blocks int, doing string) {
	eta := time.Duration(0) // not known in the first block
	if !e.ends.IsZero() {
		eta = max(time.Until(e.ends), time.Second)
	}
	e.plan.Handler.Handle(result.Progress{
		Phase: result.Measure, Done: blocks, Total: e.doc.Analyses[len(e.doc.Analyses)-1], Doing: doing, ETA: eta,
	})
}

// runBlock runs every mode of every benchmark once. The modes of a benchmark
// follow each other directly, in random order, so that a disturbance of
// the machine for seconds affects all of a pair. A further try has its own order.
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
			if arm.cell.Err != nil || !arm.cell.Has(b.Package) || e.skips(arm.cell, b.Key) || e.failed[at] >= maxFailures ||
				e.failed[cellBench{e.doc.Baseline, b.Key}] >= maxFailures {
				continue
			}
			file, err := files.file(arm, b.Package, block)
			if err != nil {
				return err
			}
			e.measuring(block-1, arm.name+" · "+b.String())
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

// timed is one run that counts: it collects only the figures that the system
// accounts anyway.
func (e *experiment) timed(ctx context.Context, a arm, b bench, file string, block int) ([]sample.Run, error) {
	inv := e.plan.Target.Invocation(a.cell, b.Key, file, b.iterations)
	inv.Timeout = e.plan.Timeout
	figures, err := e.carryOut(ctx, b, inv)
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

// carryOut runs an invocation. Figures that could not be written, or read again,
// make it a run that failed.
func (e *experiment) carryOut(ctx context.Context, b bench, inv target.Invocation) ([]target.Figures, error) {
	figures, err := e.plan.Target.Run(ctx, inv)
	if err == nil && len(figures) == 0 {
		err = &target.RunError{Reason: "it reported no figures"}
	}
	for _, f := range figures {
		known := f.Part == "" && b.parts == nil || slices.Contains(b.parts, f.Part)
		switch {
		case err != nil:
		case !known:
			err = &target.RunError{Reason: fmt.Sprintf("it reported a part %q that it does not have", f.Part)}
		case len(f.Values) == 0:
			err = &target.RunError{Reason: "it reported no figures"}
		default:
			if impossible := (sample.Run{Iterations: f.Iterations, Values: f.Values}).Check(); impossible != nil {
				err = &target.RunError{Reason: "it reported " + impossible.Error()}
			}
		}
		for metric := range f.Values {
			if err == nil && (metric == "" || strings.ContainsFunc(metric, unicode.IsSpace)) {
				err = &target.RunError{Reason: fmt.Sprintf("it reported a metric by the name %q: a name holds no space",
					metric)}
			}
		}
	}
	return figures, err
}

// shuffled returns a random permutation of s and leaves s as it is.
func shuffled[T any](rng *rand.Rand, s []T) []T {
	out := make([]T, len(s))
	for i, j := range rng.Perm(len(s)) {
		out[i] = s[j]
	}
	return out
}
