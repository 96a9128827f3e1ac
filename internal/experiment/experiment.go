package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/verdict"
)

// An experiment is the state of one Run.
type experiment struct {
	plan    Plan
	doc     *result.Document
	cells   []*target.Cell // one per mode, in their order; the first is the baseline
	benches []bench        // benchmarks that the baseline can run
	store   *store
	failed  map[cellBench]int // number of failed runs
	before  []result.Mode     // the modes of the first part, if the experiment continues
	known   map[string]bool   // metrics that some run had
	doubts  doubts            // doubts about timed runs
	fixed   *placement        // copies that are kept for the whole experiment
	scratch string            // folder for copies and dumps; close removes it
	cleanup []func()

	recording bool          // profiles are recorded, and nothing is compared
	deadline  time.Time     // the end of the budget
	ends      time.Time     // the expected end of the last block; zero if not known
	leftOut   []sample.Key  // benchmarks that do not fit into the budget, the most important first
	probing   time.Duration // the time of all untimed runs
	patient   bool          // a run may take the plan's Timeout: on this machine all take long
}

// A bench is a benchmark with the number of iterations that it runs in every mode.
type bench struct {
	sample.Key
	parts      []string
	iterations int
	start      time.Duration // the time that the calibrating process took outside of its run
}

// keys returns the names under which the benchmark has figures: its own, or one for each
// of its parts.
func (b bench) keys() []sample.Key {
	if b.parts == nil {
		return []sample.Key{b.Key}
	}
	var keys []sample.Key
	for _, part := range b.parts {
		keys = append(keys, b.key(part))
	}
	return keys
}

func (b bench) key(part string) sample.Key {
	k := b.Key
	if part != "" {
		k.Benchmark += "/" + part
	}
	return k
}

// A cellBench identifies one benchmark in one mode.
type cellBench struct {
	mode string
	key  sample.Key
}

// ErrInterrupted is returned when the context ended the experiment. All earlier
// measurements are on disk and in the document.
var ErrInterrupted = errors.New("interrupted")

// Run carries out the plan and fills doc, which NewDocument has returned. If runs is not
// empty, the experiment continues from there: they are the complete runs of an earlier
// one with the same plan.
//
// However Run ends, doc has all measurements and verdicts so far.
func Run(ctx context.Context, plan Plan, doc *result.Document, runs []sample.Run) error {
	plan, err := plan.withDefaults()
	if err != nil {
		return err
	}
	began := time.Now()
	e := &experiment{plan: plan, doc: doc, failed: map[cellBench]int{}, known: map[string]bool{}, doubts: doubts{}}
	defer e.close()
	err = e.run(ctx, runs)
	e.noteStolenTime()
	e.noteDoubts()
	if len(e.benches) > 0 || len(runs) == 0 { // otherwise the first part knew more
		e.describe()
	}
	if ctx.Err() != nil {
		doc.Stopped = Interrupted
		err = ErrInterrupted
	}
	if len(doc.Runs) > 0 {
		j, bad := e.judge()
		err = errors.Join(err, bad)
		doc.Warnings = append(doc.Warnings, j.Warnings...)
		e.noteTooFew(j.Summaries)
	}
	first := began.UTC()
	if len(runs) == 0 {
		first = doc.Started // the same process began just before
	}
	doc.Finished = first.Add(time.Since(began)) // by the monotonic clock, which nobody can set
	return err
}

// run does the steps of an experiment in the order that docs/architecture.md describes.
func (e *experiment) run(ctx context.Context, runs []sample.Run) error {
	if err := e.open(runs); err != nil {
		return err
	}
	e.doc.Missing = map[string]string{}
	if err := e.newCells(ctx); err != nil {
		return err
	}
	began := time.Now()
	if err := e.build(ctx); err != nil {
		return err
	}
	e.proveBinaries()
	if err := errors.Join(e.anyCandidate(), e.unchanged()); err != nil {
		return err
	}
	e.begin(time.Since(began))
	e.noteLongBlock()
	if err := e.findBenchmarks(ctx); err != nil {
		return err
	}
	e.noteLeftOut()
	if err := e.probeAll(ctx); err != nil {
		return err
	}
	e.describe()
	if err := e.measure(ctx); err != nil || !e.plan.Trace {
		return err
	}
	return e.traceAll(ctx)
}

// anyCandidate returns an error if nothing is left to compare, because the baseline or all
// other modes cannot be measured.
func (e *experiment) anyCandidate() error {
	if err := e.cells[0].Err; err != nil {
		return err
	}
	var first error
	for _, c := range e.cells[1:] {
		if c.Err != nil {
			e.note("%s is left out: %v", c.Mode.Name, c.Err)
			if first == nil {
				first = c.Err
			}
		}
	}
	if e.candidates() > 0 {
		return nil
	}
	return first
}

// candidates counts the modes that are compared with the baseline.
func (e *experiment) candidates() int {
	n := len(e.plan.Again)
	for _, c := range e.cells[1:] {
		if c.Err == nil {
			n++
		}
	}
	return n
}

// candidatesOf counts the candidates that run a benchmark.
func (e *experiment) candidatesOf(k sample.Key) int {
	n := e.candidates()
	for _, c := range e.cells[1:] {
		if c.Err == nil && e.skips(c, k) {
			n--
		}
	}
	return n
}

// skips reports whether the plan leaves out a benchmark in a cell.
func (e *experiment) skips(c *target.Cell, k sample.Key) bool {
	return c != e.cells[0] && e.plan.Skips != nil && e.plan.Skips(c.Mode.Name, k)
}

// unchanged returns an error if the binaries of an experiment that continues differ from
// the binaries of its first part. Blocks of two different programs must not be mixed.
func (e *experiment) unchanged() error {
	for _, was := range e.before {
		for _, c := range e.cells {
			if c.Mode.Name == was.Name && c.Err == nil && len(was.Binaries) > 0 &&
				!slices.Equal(c.Hashes, was.Binaries) {
				return fmt.Errorf(
					"the target in mode %s has changed since the experiment began; run it again without -resume",
					was.Name)
			}
		}
	}
	return nil
}

// judge turns the measurements so far into effects and verdicts.
func (e *experiment) judge() (verdict.Judgement, error) {
	j, err := verdict.Judge(e.doc.Runs,
		verdict.Options{Baseline: e.doc.Baseline, Blocks: e.plan.Blocks, Analyses: e.doc.Analyses,
			PerBlock: time.Duration(e.doc.PerBlock * float64(time.Second))})
	if err != nil {
		return j, err
	}
	e.doc.Effects, e.doc.Control, e.doc.Summaries = j.Effects, j.Control, j.Summaries
	return j, nil
}

// note adds a warning to the document, and shows it.
func (e *experiment) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	e.doc.Warnings = append(e.doc.Warnings, text)
	e.plan.Handler.Handle(result.Note{Text: text})
}

func (e *experiment) progress(p result.Phase, done, total int, doing string) {
	e.plan.Handler.Handle(result.Progress{Phase: p, Done: done, Total: total, Doing: doing})
}

// failure adds a failed run to the document, and shows it.
func (e *experiment) failure(k sample.Key, mode string, block int, err error) {
	f := result.Failure{Key: k, Mode: mode, Block: block, Reason: err.Error()}
	var run *target.RunError
	if errors.As(err, &run) {
		f.Reason, f.Output = run.Reason, run.Output
	}
	e.doc.Failures = append(e.doc.Failures, f)
	e.plan.Handler.Handle(result.RunFailure{Failure: f})
}

func (e *experiment) close() {
	for _, f := range e.cleanup {
		f()
	}
}
