// Gctune runs twelve shapes of memory use in a memory cgroup, under gctune,
// GOMEMLIMIT and automemlimit. It prints docs/results/gctune-shapes.md.
//
//	go -C bench run ./gctune > docs/results/gctune-shapes.md
//
// It needs Linux and root, for the cgroup, and takes about 25 minutes; -only and
// -peers run a part. Runs are kept in -o, and the page is made of all runs there,
// so that parts can be measured at different times.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/program"
)

func main() {
	if text := os.Getenv(workerVariable); text != "" {
		if err := work(text); err != nil {
			fmt.Fprintln(os.Stderr, "worker:", err)
			os.Exit(1)
		}
		return
	}
	only := flag.String("only", "", "run only these `SHAPES`, separated by commas: "+strings.Join(shapeNames(), ", "))
	with := flag.String("peers", "", "run only under these `PEERS`: "+strings.Join(peerNames(), ", "))
	most := flag.Int("runs", 10, "run each shape at most this `NUMBER` of times under each peer")
	again := flag.Bool("tables", false, "measure nothing; print the page of the runs kept in -o")
	out := flag.String("o", "../heapwright-out/gctune", "keep the runs in `DIR`")
	program.Main(func(ctx context.Context) error {
		file := filepath.Join(*out, "shapes.jsonl")
		if !*again {
			if err := shapeRuns(ctx, file, *only, *with, *most); err != nil {
				return err
			}
		}
		runs, err := loadShapes(file)
		if err == nil {
			printShapes(os.Stdout, runs)
		}
		return err
	})
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
