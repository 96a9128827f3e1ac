// Twins holds heapwright diagnose URL to caches and queues of ten shapes, each as a
// growing and as a steady twin. Every twin is started as a live service, loaded on
// loopback and diagnosed while it runs. No steady twin may be called a leak, and
// the growing ones are to be named at the line that keeps the entries.
//
//	go -C bench run ./twins -runs 3 > docs/results/twins.md
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/survey"
)

type settings struct {
	*survey.Survey
	runs, parallel int
	duration       time.Duration
	dir            string // the service's
	service        string // its file
}

func main() {
	s := settings{Survey: survey.Flags("../heapwright-out/twins")}
	flag.IntVar(&s.runs, "runs", 3, "of each twin")
	flag.IntVar(&s.parallel, "parallel", 2, "twins at a time")
	flag.DurationVar(&s.duration, "duration", 15*time.Second, "watch each for this long")
	program.Main(program.InScratch(s.run))
}

func (s *settings) run(ctx context.Context, dir string) error {
	only, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	if s.dir, err = filepath.Abs("../workloads/twins"); err != nil {
		return err
	}
	s.service = filepath.Join(dir, "twins.exe")
	// As a dependency of bench, the service would have no source of its own with -trimpath.
	if err := (program.In{Dir: s.dir}).Build(ctx, s.service, "."); err != nil {
		return err
	}
	lines, err := data.Marked(s.dir, marker)
	if err != nil {
		return err
	}
	var all []*twin
	for _, l := range lines {
		for _, steady := range []bool{false, true} {
			if shape := l.Groups[1]; only.MatchString(shape) {
				all = append(all, &twin{shape: shape, grows: l, steady: steady})
			}
		}
	}
	if err := s.each(ctx, all); err != nil {
		return err
	}
	return show(os.Stdout, s, all)
}

// each runs every twin as often as was asked for, some at a time.
func (s *settings) each(ctx context.Context, all []*twin) error {
	var watched errgroup.Group
	var mu sync.Mutex
	watched.SetLimit(s.parallel)
	for run := range s.runs {
		for _, t := range all {
			watched.Go(func() error {
				o, err := s.outcome(ctx, t, run)
				if err != nil {
					return fmt.Errorf("%s: %w", t.name(), err)
				}
				mu.Lock()
				defer mu.Unlock()
				t.outcomes = append(t.outcomes, o)
				fmt.Fprintf(os.Stderr, "%-18s %s\n", t.name(), o)
				return nil
			})
		}
	}
	return watched.Wait()
}
