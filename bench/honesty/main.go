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
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/aa"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

func main() {
	rounds := flag.Int("rounds", 60, "run `N` rounds of both ways")
	same := flag.Int("same", 6, "in every `N`th round also compare identical files")
	target := flag.String("target", "./workloads/stdlibmix", "benchmarks of this `PACKAGE`, seen from -C")
	dir := flag.String("C", "..", "run in `DIR`")
	runTime := flag.Duration("run-time", 20*time.Millisecond, "of one run of one benchmark")
	blocks := flag.Int("blocks", 0, "run at most `N` blocks an experiment (default 40)")
	out := flag.String("o", "../heapwright-out/honesty", "keep all raw data in `DIR`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *rounds, *same, *blocks, *target, *dir, *out, *runTime); err != nil {
		fmt.Fprintln(os.Stderr, "honesty:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, rounds, same, blocks int, target, dir, out string, runTime time.Duration) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	sum := aa.NewSummary([]experiment.Placement{experiment.Fresh, experiment.Same})
	usual, err := newUsual(ctx, dir, target, runTime)
	if err != nil {
		return err
	}
	defer usual.close()
	defer func() { print(sum, usual) }()
	for round := range rounds {
		places := []experiment.Placement{experiment.Fresh}
		if same > 0 && round%same == 0 {
			places = append(places, experiment.Same)
		}
		for _, place := range places {
			name := fmt.Sprintf("%03d-%s", round+1, aa.PlaceName(place))
			doc, err := ours(ctx, dir, target, filepath.Join(out, name), place, runTime, blocks, uint64(round+1))
			if err != nil {
				return err
			}
			sum.Add(place, round, doc)
		}
		if err := usual.round(ctx); err != nil {
			return err
		}
		if err := sum.Save(filepath.Join(out, "aa.json")); err != nil {
			return err
		}
		r := sum.Rows[0]
		fmt.Fprintf(os.Stderr, "round %d of %d: %d of %d tests claim a difference, %d of %d experiments a winner; benchstat's test: %d of %d\n",
			round+1, rounds, r.FalseClaims, r.Tests, r.Winners, r.Experiments, usual.claims, usual.tests)
	}
	return nil
}

// ours is one experiment exactly as compare runs it, with the baseline again
// as its only candidate.
func ours(ctx context.Context, dir, pkg, out string, place experiment.Placement, runTime time.Duration, blocks int, seed uint64) (*result.Document, error) {
	modes, err := mode.Parse("default")
	if err != nil {
		return nil, err
	}
	doc := experiment.NewDocument()
	return doc, experiment.Run(ctx, experiment.Plan{
		Target: &target.Packages{Names: []string{pkg}}, Modes: modes, Again: []string{"again"},
		Dir: dir, OutDir: out, Place: place, RunTime: runTime, Blocks: blocks, Seed: seed,
	}, doc, nil)
}

// head introduces the page. It takes the command's arguments.
const head = `# A/A on a real machine

This page is the output of one command:

    go -C bench run ./honesty%s > docs/results/aa.md

It compares a binary with itself, in Heapwright's way and in the usual way, in turn within the same hour. The benchmarks of
workloads/stdlibmix cover encoding/json, compress/flate, regexp, maps, trees, formatting and sorting. Every claim of a
difference is false.

`

func print(sum *aa.Summary, u *usual) {
	fmt.Printf(head, strings.Join(append([]string{""}, os.Args[1:]...), " "))
	report.AA(os.Stdout, sum)
	fmt.Printf("\nTen runs of A, then ten of B, by benchstat's test at 0.05 on sec/op: %s\n", u)
}
