// Trace runs heapwright trace on a program with a planted assist storm, on its cured twin, and
// on the storm with GC off. Each program traces itself. The figures are compared with the
// figures of go tool trace, of runtime/metrics and of the program's own clock.
//
//	go -C bench run ./trace > docs/results/trace.md
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/trace"
)

type settings struct {
	Runs, Rate int
	Duration   time.Duration
	out        string
	bin        string // the storm
}

// report is the output of the storm.
type report struct {
	Metrics map[string]float64
	Longest float64 `json:"longest_s"`
}

// run is one run of one program, read in three ways.
type run struct {
	doc  *trace.Document
	own  report
	tool map[string]time.Duration // go tool trace, by its name of a time
}

func main() {
	var s settings
	flag.IntVar(&s.Runs, "runs", 5, "of each program; the page has medians")
	flag.DurationVar(&s.Duration, "duration", 5*time.Second, "of each run")
	flag.IntVar(&s.Rate, "rate", 60, "requests a second")
	flag.StringVar(&s.out, "o", "../heapwright-out/bench-trace", "keep traces in `DIR`")
	program.Main(program.InScratch(s.do))
}

func (s *settings) do(ctx context.Context, dir string) error {
	s.bin = filepath.Join(dir, "storm.exe")
	if err := data.Unpack("trace/storm.txtar", dir); err != nil {
		return fmt.Errorf("%w; run it as go -C bench run ./trace", err)
	}
	if err := program.Outside(dir).Build(ctx, s.bin, "-trimpath", "."); err != nil {
		return err
	}
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	planted, err := data.Marked(dir, regexp.MustCompile(`// assists$`))
	if err != nil {
		return err
	}
	all := map[string]runs{}
	for i := range s.Runs {
		for _, p := range programs {
			r, err := s.run(ctx, p, i)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			all[p.name] = append(all[p.name], r)
			fmt.Fprintf(os.Stderr, "%s %d: p99 of bursts %v\n", p.name, i+1, time.Duration(r.doc.Bursts.At(0.99).Length))
		}
	}
	r := results{settings: s, Planted: planted[0].String(), Storm: all["storm"], Cured: all["cured"], Off: all["off"]}
	_, err = fmt.Print(r.page())
	return err
}

// way is a way to run the storm.
type way struct{ name, twin, gogc string }

var programs = []way{{"storm", "storm", "100"}, {"cured", "cured", "100"}, {"off", "storm", "off"}}

func (s *settings) run(ctx context.Context, p way, i int) (r run, err error) {
	file := filepath.Join(s.out, fmt.Sprintf("%s-%d.trace", p.name, i+1))
	in := program.In{Env: []string{"GOGC=" + p.gogc}}
	r.own, err = program.OutputJSON[report](ctx, in, nil, s.bin, "-twin", p.twin, "-o", file, "-duration", s.Duration.String(), "-rate", fmt.Sprint(s.Rate))
	if err != nil {
		return r, err
	}
	f, err := os.Open(file)
	if err != nil {
		return r, err
	}
	r.doc, err = trace.Read(ctx, file, f, trace.Options{})
	if err = errors.Join(err, f.Close()); err != nil {
		return r, err
	}
	r.tool, err = toolTrace(ctx, file)
	return r, err
}
