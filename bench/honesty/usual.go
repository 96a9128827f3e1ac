package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/workload"
)

// usual is today's usual practice: -count=10 of one binary, then -count=10 of the
// other, and benchstat. Here its library judges.
type usual struct {
	dir, binary    string
	runTime        time.Duration
	tests, claims  int
	rounds, marked int // rounds, and those with at least one claim
}

func newUsual(ctx context.Context, scratch, target string, runTime time.Duration) (*usual, error) {
	u := &usual{dir: filepath.Join(workload.Root, target), binary: filepath.Join(scratch, "a.test"), runTime: runTime}
	return u, program.In{Dir: workload.Root}.Run(ctx, "go", "test", "-c", "-o", u.binary, target)
}

func (u *usual) round(ctx context.Context) error {
	a, err := u.series(ctx)
	if err != nil {
		return err
	}
	b, err := u.series(ctx)
	if err != nil {
		return err
	}
	before := u.claims
	for name, values := range a {
		c := benchmath.AssumeNothing.Compare(sampleOf(values), sampleOf(b[name]))
		u.tests++
		if c.P < c.Alpha {
			u.claims++
		}
	}
	u.rounds++
	if u.claims > before {
		u.marked++
	}
	return nil
}

func sampleOf(values []float64) *benchmath.Sample {
	t := benchmath.DefaultThresholds
	return benchmath.NewSample(values, &t)
}

// series returns the sec/op of ten runs of each benchmark.
func (u *usual) series(ctx context.Context) (map[string][]float64, error) {
	out, err := program.In{Dir: u.dir}.Output(ctx, nil, u.binary, "-test.run=^$", "-test.bench=.", "-test.count=10", "-test.benchtime="+u.runTime.String())
	if err != nil {
		return nil, err
	}
	series := map[string][]float64{}
	in := benchfmt.NewReader(bytes.NewReader(out), "output")
	for in.Scan() {
		if r, ok := in.Result().(*benchfmt.Result); ok {
			if v, ok := r.Value("sec/op"); ok {
				series[string(r.Name)] = append(series[string(r.Name)], v)
			}
		}
	}
	return series, in.Err()
}

func (u *usual) String() string {
	return fmt.Sprintf("%d of %d tests (%.1f%%) claim a difference, %d of %d rounds at least one",
		u.claims, u.tests, 100*float64(u.claims)/float64(max(u.tests, 1)), u.marked, u.rounds)
}
