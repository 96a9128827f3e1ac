// Gctune runs a synthetic server in a memory cgroup under gctune, under its
// peers and under what people do by hand, in the scenarios in which memory
// gets short, and prints Markdown tables.
//
//	go -C bench run ./gctune
//
// It needs Linux and root, for the cgroup, and takes about three quarters of an
// hour; -only and -policies run a part. What was measured is kept in -o, and the
// tables are made of all that is there, so that parts can be measured at
// different times.
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
	again := flag.Bool("tables", false, "measure nothing, make the tables of what there is")
	out := flag.String("o", "../heapwright-out/gctune", "keep what was measured in `DIR`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	kept := keep{filepath.Join(*out, "outcomes.json")}
	var err error
	if !*again {
		err = measure(ctx, kept, *only, *with, *limit<<20, *out)
	}
	if err == nil {
		err = tables(kept)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gctune:", err)
		os.Exit(1)
	}
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
