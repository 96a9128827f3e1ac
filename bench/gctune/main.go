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
	"regexp"

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
	var s settings
	flag.TextVar(&s.only, "only", regexp.MustCompile(""), "run only the shapes whose name matches `REGEXP`")
	flag.TextVar(&s.peers, "peers", regexp.MustCompile(""), "run only under the peers whose name matches `REGEXP`")
	flag.IntVar(&s.most, "runs", 10, "run each shape at most this `NUMBER` of times under each peer")
	flag.StringVar(&s.out, "o", "../heapwright-out/gctune", "keep the runs in `DIR`")
	again := flag.Bool("again", false, "measure nothing; print the page of the runs kept in -o")
	program.Main(func(ctx context.Context) error {
		if !*again {
			if err := s.run(ctx); err != nil {
				return err
			}
		}
		runs, err := s.load()
		if err == nil {
			printShapes(os.Stdout, runs)
		}
		return err
	})
}
