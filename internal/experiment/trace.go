package experiment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/trace"
	"github.com/heapwright/heapwright/internal/trace/view"
)

const (
	// tracedBenches bounds the benchmarks that are traced in every mode.
	tracedBenches = 5
	// tracedTime is how long a traced run of a benchmark takes, at least: some
	// collections, and delays enough for a p99.
	tracedTime = time.Second
)

// traceAll runs the first benchmarks once more in every mode, with the execution
// tracer, and keeps a timeline of each. A run that fails is noted.
func (e *experiment) traceAll(ctx context.Context) error {
	benches := e.benches[:min(len(e.benches), tracedBenches)]
	if len(benches) < len(e.benches) {
		e.note("Timelines are taken of the first %d of %d benchmarks.", len(benches), len(e.benches))
	}
	if err := result.Make(filepath.Join(e.plan.OutDir, "traces")); err != nil {
		return err
	}
	e.doc.Traces = nil
	for i, b := range benches {
		for j, c := range e.cells {
			if c.Err != nil || !c.Has(b.Package) {
				continue
			}
			e.progress(result.Probe, i*len(e.cells)+j, len(benches)*len(e.cells), "trace of "+c.Mode.Name)
			t := result.Trace{Key: b.Key, Mode: c.Mode.Name}
			page, answer, err := e.trace(ctx, c, b, fmt.Sprintf("%02d-%02d-%s", i+1, j+1, fileName(c.Mode.Name)))
			if ctx.Err() != nil {
				return ctx.Err()
			}
			t.Page, t.Answer = page, answer
			if err != nil {
				t.Failed = err.Error()
			}
			e.doc.Traces = append(e.doc.Traces, t)
		}
	}
	return nil
}

// trace runs a benchmark with the tracer and keeps its trace and its page.
func (e *experiment) trace(ctx context.Context, c *target.Cell, b bench,
	name string) (page string, answer []string, err error) {
	file := filepath.Join(e.plan.OutDir, "traces", name+".trace")
	// A trace of an earlier experiment is not of this run, and a link is not followed.
	if err := result.Remove(file); err != nil {
		return "", nil, err
	}
	if file, err = filepath.Abs(file); err != nil { // the run has a folder of its own
		return "", nil, err
	}
	n := b.iterations
	if b.parts == nil && e.plan.Target.Facts().Run == 0 {
		n *= max(1, int(tracedTime/e.plan.RunTime))
	}
	if _, err := e.plan.Target.Profile(ctx, c,
		target.Profiling{Key: b.Key, Iterations: n, Trace: file, Timeout: e.plan.Timeout}); err != nil {
		return "", nil, err
	}
	f, err := input.OpenRegular(file)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil, errors.New("the run left no trace: it traces itself, or ends at once")
	}
	if err != nil {
		return "", nil, err
	}
	doc, err := trace.Read(ctx, b.Key.String()+" in "+c.Mode.Name, f, trace.Options{})
	err = errors.Join(err, f.Close())
	if doc == nil {
		return "", nil, err
	}
	doc.Tool = e.doc.Tool
	page = path.Join("traces", name+".html")
	// A program that is not a benchmark has no chance to end its trace.
	return page, view.Answer(doc), result.Replace(filepath.Join(e.plan.OutDir, filepath.FromSlash(page)),
		func(w io.Writer) error { return view.HTML(w, doc) })
}

// fileName makes a part of a file's name from a mode's.
func fileName(mode string) string {
	mode = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' {
			return r
		}
		return '-'
	}, mode)
	return mode[:min(len(mode), 60)]
}
