// Honesty measures how often a comparison of a program with itself claims a
// difference: heapwright's way, and the usual way of ten runs of A, then ten
// of B, judged by benchstat's test. Both in turn, on the same binary, in the
// same hour. It prints docs/results/aa.md.
//
//	go -C bench run ./honesty -rounds 60 -blocks 20 > docs/results/aa.md
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
	"github.com/heapwright/heapwright/internal/aa"
	"github.com/heapwright/heapwright/internal/aa/view"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
)

type settings struct {
	rounds, same, blocks int
	target, out          string
	runTime              time.Duration
}

func main() {
	var s settings
	flag.IntVar(&s.rounds, "rounds", 60, "run `N` rounds of both ways")
	flag.IntVar(&s.same, "same", 6, "in every `N`th round also compare identical files")
	flag.StringVar(&s.target, "target", "./workloads/stdlibmix", "benchmarks of this `PACKAGE` of the repository")
	flag.DurationVar(&s.runTime, "run-time", 20*time.Millisecond, "of one run of one benchmark")
	flag.IntVar(&s.blocks, "blocks", 0, "run at most `N` blocks an experiment (default 40)")
	flag.StringVar(&s.out, "o", "../heapwright-out/honesty", "keep all raw data in `DIR`")
	program.Main(program.InScratch(s.run))
}

func (s *settings) run(ctx context.Context, scratch string) error {
	sum := aa.NewSummary([]experiment.Placement{experiment.Fresh, experiment.Same})
	usual, err := newUsual(ctx, scratch, s.target, s.runTime)
	if err != nil {
		return err
	}
	defer func() { print(sum, usual) }()
	for round := range s.rounds {
		places := []experiment.Placement{experiment.Fresh}
		if s.same > 0 && round%s.same == 0 {
			places = append(places, experiment.Same)
		}
		for _, place := range places {
			name := fmt.Sprintf("%03d-%s", round+1, aa.PlaceName(place))
			doc, err := s.ours(ctx, name, place, uint64(round+1))
			if err != nil {
				return err
			}
			sum.Add(place, round, doc)
		}
		if err := usual.round(ctx); err != nil {
			return err
		}
		if err := sum.Save(filepath.Join(s.out, "aa.json")); err != nil {
			return err
		}
		r := sum.Rows[0]
		fmt.Fprintf(os.Stderr, "round %d of %d: %d of %d tests claim a difference, %d of %d experiments a winner; benchstat's test: %d of %d\n",
			round+1, s.rounds, r.FalseClaims, r.Tests, r.Winners, r.Experiments, usual.claims, usual.tests)
	}
	return nil
}

// ours is one experiment exactly as compare runs it, with the baseline again
// as its only candidate.
func (s *settings) ours(ctx context.Context, name string, place experiment.Placement, seed uint64) (*result.Document, error) {
	plan, err := workload.Plan(s.target, "", "default")
	if err != nil {
		return nil, err
	}
	plan.Again, plan.Place, plan.OutDir = []string{"again"}, place, filepath.Join(s.out, name)
	plan.RunTime, plan.Blocks, plan.Seed = s.runTime, s.blocks, seed
	return workload.Run(ctx, plan)
}

const about = `It compares a binary with itself, in Heapwright's way and in the usual way, in turn within the same hour. The benchmarks of
workloads/stdlibmix cover encoding/json, compress/flate, regexp, maps, trees, formatting and sorting. Every claim of a
difference is false.

`

func print(sum *aa.Summary, u *usual) {
	fmt.Print(page.Head("honesty", "aa.md", "A/A on a real machine", about))
	view.Text(os.Stdout, sum)
	fmt.Printf("\nTen runs of A, then ten of B, by benchstat's test at 0.05 on sec/op: %s\n", u)
}
