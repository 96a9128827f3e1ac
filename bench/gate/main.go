// Gate measures how often heapwright gate stops a change that changes nothing,
// and how often it stops one that is worse: 6% more allocations and bytes, 10%
// more CPU, as workloads/planted has them behind build tags. It prints docs/results/gate.md.
//
//	go -C bench run ./gate -runs 100 -blocks 12 > docs/results/gate.md
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/workload"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/gate"
)

// A question counts the gate's outcomes for one metric of one benchmark. An empty
// metric or benchmark stands for all.
type question struct {
	name, metric, benchmark string
	outcomes                map[gate.Outcome]int
}

// A trial is one pair of builds, on which the gate runs again and again.
type trial struct {
	plan      experiment.Plan
	questions []*question
	stopped   int // runs in which the gate failed
}

type settings struct {
	runs, blocks int
	runTime      time.Duration
	out          string
}

func main() {
	var s settings
	flag.IntVar(&s.runs, "runs", 100, "run the gate `N` times on equal and on worse code")
	flag.IntVar(&s.blocks, "blocks", 20, "end each run of the gate after `N` blocks")
	flag.DurationVar(&s.runTime, "run-time", 20*time.Millisecond, "duration of one run of one benchmark")
	flag.StringVar(&s.out, "o", "../heapwright-out/gate", "keep all raw data in `DIR`")
	program.Main(s.run)
}

func (s *settings) run(ctx context.Context) error {
	budget := gate.Default()
	plan, err := workload.Plan("./workloads/planted", "", "default,tags=planted_alloc6+tags=planted_cpu10")
	if err != nil {
		return err
	}
	plan.RunTime, plan.Blocks, plan.Open = s.runTime, s.blocks, budget.Open
	same := plan
	same.Modes, same.Again = plan.Modes[:1], []string{"head"}
	equal := &trial{
		plan:      same,
		questions: []*question{newQuestion("nothing changed, by any metric", "", "")},
	}
	worse := &trial{
		plan: plan,
		questions: []*question{
			newQuestion("6% more allocations", "allocs/op", "Boxes"),
			newQuestion("6% more bytes", "B/op", "Boxes"),
			newQuestion("10% more CPU", "cpu-sec/op", "Hash"),
		},
	}
	done := 0
	// Runs take hours, so an interrupted measurement still prints what it has.
	defer func() { show(equal, worse, done) }()
	for ; done < s.runs; done++ {
		// The two trials alternate, so a change of the machine affects both.
		for i, t := range []*trial{equal, worse} {
			t.plan.OutDir = filepath.Join(s.out, fmt.Sprintf("%03d-%d", done+1, i))
			doc, err := workload.Run(ctx, t.plan)
			if err != nil {
				return err
			}
			r, err := gate.Check(doc, budget)
			if err != nil {
				return err
			}
			t.count(r)
		}
		fmt.Fprintf(os.Stderr, "run %d of %d: the gate stopped equal code %d times, worse code %d times\n", done+1, s.runs, equal.stopped, worse.stopped)
	}
	return nil
}

func newQuestion(name, metric, benchmark string) *question {
	return &question{name: name, metric: metric, benchmark: benchmark, outcomes: map[gate.Outcome]int{}}
}

func (t *trial) count(r *gate.Result) {
	if r.Failed(false) {
		t.stopped++
	}
	for _, q := range t.questions {
		for _, row := range r.Rows {
			if (q.metric == "" || q.metric == row.Metric) && (q.benchmark == "" || q.benchmark == row.Benchmark) {
				q.outcomes[row.Outcome]++
			}
		}
	}
}

const about = `It runs ` + "`heapwright gate`" + ` again and again on equal code and on code that is worse. Both are builds of workloads/planted,
which has two benchmarks. The budget is the default.

`

func show(equal, worse *trial, runs int) {
	fmt.Print(page.Head("gate", "gate.md", "How often the gate is wrong", about))
	fmt.Printf("The gate stopped equal code in %d of %d runs, worse code in %d of %d.\n\n", equal.stopped, runs, worse.stopped, runs)
	fmt.Print(page.Columns("question", "fail:", "inconclusive:", "pass:"))
	for _, q := range slices.Concat(equal.questions, worse.questions) {
		fmt.Print(page.Row(q.name, q.outcomes[gate.Fail], q.outcomes[gate.Inconclusive], q.outcomes[gate.Pass]))
	}
}
