// Arena measures this project's arena next to the plain heap, sync.Pool, Go's
// arenas, ristretto's z.Allocator, bytebufferpool and the floor. It prints
// docs/results/arena.md: for each version of Go a table with the bars that the
// arena has to meet, and tables of the floors that bound it from below.
//
//	go -C bench run ./arena -rounds 9 > docs/results/arena.md
//
// Each figure is the median, over rounds, of the CPU time of whole processes
// that do a fixed number of operations, less the CPU time of processes that do only the
// first. A round runs all of them once, in random order. The error of such a
// figure exceeds the margin that the bars allow clones above their floor, so
// clones also take turns within one process (see race).
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
)

//go:embed about.txt
var about string

type settings struct {
	versions, only  string
	rounds, layouts int
	runTime         time.Duration
	seed            uint64
}

func main() {
	var s settings
	flag.StringVar(&s.versions, "go", "go1.26.8,go1.27.4", "measure with these `VERSIONS` of Go")
	flag.IntVar(&s.rounds, "rounds", 7, "run everything `N` times")
	flag.IntVar(&s.layouts, "layouts", 12, "let clones take turns in `N` builds with functions in another order")
	flag.DurationVar(&s.runTime, "run-time", 150*time.Millisecond, "of one process")
	flag.StringVar(&s.only, "work", "", "measure only works that contain `TEXT`")
	flag.Uint64Var(&s.seed, "seed", 1, "of the random order")
	program.Main(program.InScratch(s.run))
}

func (s *settings) run(ctx context.Context, dir string) error {
	versions := strings.Split(s.versions, ",")
	var cells []*cell
	var races []*race
	for _, version := range versions {
		more, err := build(ctx, dir, version, s.only)
		if err != nil {
			return err
		}
		cells = append(cells, more...)
		of, err := buildRaces(ctx, dir, version, s.only, s.layouts)
		if err != nil {
			return err
		}
		races = append(races, of...)
	}
	if len(cells) == 0 {
		return fmt.Errorf("-work %q: no work is called so; leave it out to run all", s.only)
	}
	if err := measure(ctx, cells, s.rounds, s.runTime, s.seed); err != nil {
		return err
	}
	if err := runRaces(ctx, races, s.rounds, s.runTime, s.seed); err != nil {
		return err
	}
	fmt.Print(page.Head("arena", "arena.md", "The cost of arenas", about))
	for _, version := range versions {
		printTable(os.Stdout, version, cells, races)
		printFloors(os.Stdout, version, cells)
		printRaces(os.Stdout, version, races)
	}
	fmt.Printf("\n%s; %d rounds of about %v per process, %d layouts, seed %d.\n", machine(), s.rounds, s.runTime, s.layouts, s.seed)
	return nil
}
