// Gctune runs a synthetic server in a memory cgroup under gctune, under its
// peers and under settings that people make by hand, in scenarios in which
// memory runs short, and prints Markdown tables.
//
//	go -C bench run ./gctune
//
// With -shapes it runs twelve shapes of memory use beside GOMEMLIMIT and automemlimit
// instead, and prints docs/results/gctune-shapes.md.
//
// It needs Linux and root, for the cgroup, and takes about three quarters of an
// hour; -only and -policies run a part. Outcomes are kept in -o, and the tables
// are made of all outcomes there, so that parts can be measured at different
// times.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

func main() {
	if text := os.Getenv(workerVariable); text != "" {
		if err := work(text); err != nil {
			fmt.Fprintln(os.Stderr, "worker:", err)
			os.Exit(1)
		}
		return
	}
	only := flag.String("only", "", "run only these `SCENARIOS`, separated by commas: "+strings.Join(scenarioNames(), ", "))
	with := flag.String("policies", "", "run only under these `POLICIES`: "+strings.Join(policyNames(), ", "))
	limit := flag.Int64("limit", 512, "of the memory cgroup, in `MiB`")
	inShapes := flag.Bool("shapes", false, "run the shapes of memory use beside GOMEMLIMIT and automemlimit, in about 25 minutes, instead of the scenarios;\n-only takes "+strings.Join(shapeNames(), ", ")+"; -policies takes "+strings.Join(peerNames(), ", "))
	most := flag.Int("runs", 10, "run each shape at most this `NUMBER` of times under each peer")
	again := flag.Bool("tables", false, "measure nothing; print the tables of the outcomes kept in -o")
	out := flag.String("o", "../heapwright-out/gctune", "keep outcomes in `DIR`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	kept := keep{filepath.Join(*out, "outcomes.json")}
	var err error
	switch file := filepath.Join(*out, "shapes.jsonl"); {
	case *inShapes:
		err = reportShapes(ctx, file, *again, *only, *with, *most)
	case !*again:
		err = measure(ctx, kept, *only, *with, *limit<<20, *out)
	}
	if err == nil && !*inShapes {
		err = tables(kept)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gctune:", err)
		os.Exit(1)
	}
}

// reportShapes runs the shapes, unless the runs in file are all that is wanted, and
// prints the page.
func reportShapes(ctx context.Context, file string, again bool, only, with string, most int) error {
	if !again {
		if err := shapeRuns(ctx, file, only, with, most); err != nil {
			return err
		}
	}
	runs, err := loadShapes(file)
	if err == nil {
		printShapes(os.Stdout, runs)
	}
	return err
}

// measure runs the chosen scenarios under the chosen policies.
func measure(ctx context.Context, kept keep, only, with string, limit int64, out string) error {
	chosen, err := choose(only, scenarioNames(), "-only")
	if err != nil {
		return err
	}
	policies, err := choose(with, policyNames(), "-policies")
	if err != nil {
		return err
	}
	for _, s := range scenarios {
		if !slices.Contains(chosen, s.name) {
			continue
		}
		for _, p := range policies {
			o, err := play(ctx, s, p, limit, out)
			if err != nil {
				return fmt.Errorf("%s under %s: %w", s.name, p, err)
			}
			fmt.Fprintf(os.Stderr, "%s under %s: %v\n", s.name, p, o)
			if err := kept.add(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// tables prints all that is kept.
func tables(kept keep) error {
	outcomes, err := kept.load()
	if err != nil {
		return err
	}
	printTables(os.Stdout, outcomes)
	return nil
}

// choose returns the names that a flag lists, all if it lists none.
func choose(list string, names []string, flag string) ([]string, error) {
	if list == "" {
		return names, nil
	}
	chosen := strings.Split(list, ",")
	for _, c := range chosen {
		if !slices.Contains(names, c) {
			return nil, fmt.Errorf("%s: there is no %q; there are %s", flag, c, strings.Join(names, ", "))
		}
	}
	return chosen, nil
}
