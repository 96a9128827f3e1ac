// Vet runs heapwright vet on public modules, applies every fix that it offers, and proves that
// the modules build, vet and pass their tests as before. Random reports of each check were
// judged by reading the code, and the page counts those that are right.
//
//	go -C bench run ./vet -test > docs/results/vet.md
//	go -C bench run ./vet -reports
//	go -C bench run ./vet -only github.com/dgraph-io/badger/v4
//	go -C bench run ./vet -todo -only poolcap
//	go -C bench run ./vet -planted
//	go -C bench run ./vet -speed > docs/results/vet-speed.md
//
// Each module is taken from the module proxy at a pinned version and copied. All
// checks run on all of its packages with -all. Then all fixes are applied, again
// until none is left, and the go command builds and vets the module. With -test
// it also runs the tests of the changed packages of the modules that are marked
// for it, twice before and once after.
//
// The results of each module are kept below -o, so a second run skips it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/survey"
)

type settings struct {
	*survey.Survey
	judged                              string
	test, todo, reports, planted, speed bool
	rounds                              int
	seed                                uint64
}

// checks is the folder of the checks and of the packages that they share, relative to the
// module bench.
const checks = "../internal"

func main() {
	s := settings{Survey: survey.Flags("../heapwright-out/vet")}
	flag.StringVar(&s.judged, "judged", "../docs/results/vet-judged.tsv", "read the reports that were judged by hand from `FILE`")
	flag.BoolVar(&s.test, "test", false, "run the tests of changed packages, too")
	flag.BoolVar(&s.todo, "todo", false, "run nothing: print the reports that are to be judged, of the checks that match -only, with their code")
	flag.BoolVar(&s.reports, "reports", false, "collect the reports, and apply no fix")
	flag.BoolVar(&s.planted, "planted", false, "replace the table of planted faults in docs/results/vet.md, and run nothing")
	flag.BoolVar(&s.speed, "speed", false, "compare the cost with go vet's, on prometheus or the first module that matches -only; the machine must be quiet")
	flag.IntVar(&s.rounds, "rounds", 5, "with -speed, how often each command runs")
	flag.Uint64Var(&s.seed, "seed", 1, "with -speed, draw the order of the commands from `N`")
	program.Main(s.run)
}

func (s *settings) run(ctx context.Context) error {
	// The table of planted faults is a part of the page that needs no run.
	if s.planted {
		p, err := s.page(nil, nil)
		if err != nil {
			return err
		}
		return p.Into("../docs/results/vet.md")
	}
	s.Again = s.Again || s.todo
	only, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	if s.speed {
		return s.compare(ctx, only)
	}

	// A module that cannot be fetched or built does not keep the others from the page.
	var done []*outcome
	var errs []error
	for _, m := range modules() {
		if !s.todo && !only.MatchString(m.name) {
			continue
		}
		o, err := s.outcome(ctx, m)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.name, err))
		} else if o != nil {
			done = append(done, o)
		}
	}

	// The draw needs the reports of all modules, also if only some reports are to do.
	j, err := readJudged(s.judged)
	if err != nil {
		return err
	}
	j.draw(done)
	if s.todo {
		return errors.Join(append(errs, j.write(os.Stdout, only))...)
	}
	if len(done) == 0 {
		return errors.Join(append(errs, errors.New("no module is done"))...)
	}
	p, err := s.page(done, j)
	if err == nil {
		fmt.Print(p.String("vet"))
	}
	return errors.Join(append(errs, err)...)
}
