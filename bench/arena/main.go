// Arena measures this project's arena next to the plain heap, sync.Pool, Go's
// arenas, ristretto's z.Allocator, bytebufferpool and the floor. It prints
// docs/results/arena.md: for each version of Go a table with the bars that the
// arena has to meet, and tables of the floors that bound it from below.
//
//	go -C bench run ./arena -rounds 9 > docs/results/arena.md
//
// Each figure is the median, over rounds, of the CPU time of whole processes
// that do a fixed number of operations, less that of processes that do only the
// first. A round runs all of them once, in random order. The error of such a
// figure exceeds the margin that the bars allow clones above their floor, so
// clones also take turns within one process (see race).
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

// head introduces the page. It takes the command's arguments.
const head = `# The cost of arenas

This page is the output of one command:

    go -C bench run ./arena%s > docs/results/arena.md

Each figure is CPU time (user and system, of the whole process, the collector included) per operation. In parentheses it is
relative to the plain heap at GOGC=100. Figures are medians over processes that run interleaved, in random order. A *bar* is
the most that this project allows its arena. GOGC=off runs with GOMEMLIMIT=1GiB. z.Allocator and bytebufferpool are measured
only where memory has no pointers, since they cannot hold any. For maps, the column sync.Pool is one map that is kept and
cleared. All contestants fill, keep, walk and check the same objects with the same code. Clones are compared with their
floor in turns within one process. [How the arena works](../internals/arena.md#cost-and-its-lower-bounds) defines the floors and explains the bars that are missed.
`

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
	fmt.Printf(head, strings.Join(append([]string{""}, os.Args[1:]...), " "))
	for _, version := range versions {
		printTable(os.Stdout, version, cells, races)
		printFloors(os.Stdout, version, cells)
		printRaces(os.Stdout, version, races)
	}
	fmt.Printf("\n%s; %d rounds of about %v per process, %d layouts, seed %d.\n", machine(), rounds, runTime, layouts, seed)
	return nil
}
