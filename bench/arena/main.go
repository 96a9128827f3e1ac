// Arena measures this project's arena beside the plain heap, sync.Pool, Go's
// arenas, ristretto's z.Allocator, bytebufferpool and the floor, and prints a
// Markdown table for each version of Go, with the bars that the arena has to
// keep, and tables of the floors that bound it from below.
//
//	go -C bench run ./arena
//
// Each figure is the median, over rounds, of the CPU time of whole processes
// that do a fixed number of operations, less that of processes that do only the
// first. A round runs all of them once, in random order. What such a figure can
// be off by is more than clones may take beyond their floor: these are compared
// by turns within processes too (see race).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	versions := flag.String("go", "go1.26.8,go1.27.4", "measure with these `VERSIONS` of Go")
	rounds := flag.Int("rounds", 7, "run everything `N` times")
	layouts := flag.Int("layouts", 12, "let clones take turns in `N` builds with functions in another order")
	runTime := flag.Duration("run-time", 150*time.Millisecond, "of one process")
	only := flag.String("work", "", "measure only works that contain `TEXT`")
	seed := flag.Uint64("seed", 1, "of the random order")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, strings.Split(*versions, ","), *only, *rounds, *layouts, *runTime, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "arena:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, versions []string, only string, rounds, layouts int, runTime time.Duration, seed uint64) error {
	dir, err := os.MkdirTemp("", "arena-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var cells []*cell
	var races []*race
	for _, version := range versions {
		more, err := build(ctx, dir, version, only)
		if err != nil {
			return err
		}
		cells = append(cells, more...)
		of, err := buildRaces(ctx, dir, version, only, layouts)
		if err != nil {
			return err
		}
		races = append(races, of...)
	}
	if len(cells) == 0 {
		return fmt.Errorf("-work %q: no work is called so; leave it out to run all", only)
	}
	if err := measure(ctx, cells, rounds, runTime, seed); err != nil {
		return err
	}
	if err := runRaces(ctx, races, rounds, runTime, seed); err != nil {
		return err
	}
	for _, version := range versions {
		printTable(os.Stdout, version, cells, races)
		printFloors(os.Stdout, version, cells)
		printRaces(os.Stdout, version, races)
	}
	fmt.Printf("\n%s; %d rounds of about %v per process, %d layouts, seed %d.\n", machine(), rounds, runTime, layouts, seed)
	return nil
}
