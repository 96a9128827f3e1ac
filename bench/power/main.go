// Power measures how often compare finds a regression that is there: the ones
// that workloads/planted has behind build tags, 10% more CPU and 5% more
// allocations. It prints docs/results/power.md.
//
//	go -C bench run ./power -tries 20 -run-time 50ms > docs/results/power.md
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/workload"
	"github.com/heapwright/heapwright/internal/verdict"
)

// regression is a planted regression and where it has to be seen.
type regression struct {
	name, mode, benchmark, metric string
	verdicts                      map[verdict.Verdict]int
	needed                        []int // blocks that inconclusive tries asked for
}

type settings struct {
	tries   int
	out     string
	runTime time.Duration
}

func main() {
	var s settings
	flag.IntVar(&s.tries, "tries", 20, "run `N` experiments")
	flag.StringVar(&s.out, "o", "../heapwright-out/power", "keep all raw data in `DIR`")
	flag.DurationVar(&s.runTime, "run-time", 100*time.Millisecond, "of one run of one benchmark")
	program.Main(s.run)
}

func (s *settings) run(ctx context.Context) error {
	plan, err := workload.Plan("./workloads/planted", "", "default,tags=planted_cpu10,tags=planted_alloc5")
	if err != nil {
		return err
	}
	plan.RunTime = s.runTime
	cases := []*regression{
		{name: "10% more CPU", mode: "tags=planted_cpu10", benchmark: "Hash", metric: "cpu-sec/op"},
		{name: "5% more allocations", mode: "tags=planted_alloc5", benchmark: "Boxes", metric: "allocs/op"},
		{name: "5% more bytes", mode: "tags=planted_alloc5", benchmark: "Boxes", metric: "B/op"},
	}
	for _, c := range cases {
		c.verdicts = map[verdict.Verdict]int{}
	}
	defer func() { print(cases) }()
	for try := range s.tries {
		plan.OutDir, plan.Seed = filepath.Join(s.out, fmt.Sprintf("%03d", try+1)), uint64(try+1)
		doc, err := workload.Run(ctx, plan)
		if err != nil {
			return err
		}
		for _, c := range cases {
			c.count(doc.Effects)
		}
		fmt.Fprintf(os.Stderr, "try %d of %d: %d blocks\n", try+1, s.tries, doc.Blocks)
	}
	return nil
}

func (c *regression) count(effects []verdict.Effect) {
	for _, f := range effects {
		if f.Mode == c.mode && f.Benchmark == c.benchmark && f.Metric == c.metric {
			c.verdicts[f.Verdict]++
			if f.Verdict == verdict.Inconclusive {
				c.needed = append(c.needed, f.MoreBlocks)
			}
		}
	}
}

const about = "The package workloads/planted has regressions behind build tags. Each experiment of `heapwright compare` should find them.\n\n"

func print(cases []*regression) {
	fmt.Print(page.Head("power", "power.md", "Planted regressions", about))
	fmt.Print(page.Columns("planted", "found (worse):", "inconclusive:", "same:", "better:", "further blocks asked for"))
	for _, c := range cases {
		fmt.Print(page.Row(c.name+", by "+c.metric, c.verdicts[verdict.Worse], c.verdicts[verdict.Inconclusive], c.verdicts[verdict.Same], c.verdicts[verdict.Better], c.needed))
	}
}
