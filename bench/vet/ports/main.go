// Ports shows that the checks of arenas neither report correct code nor overlook
// faults, on programs that were not written for them.
//
//	go -C bench run ./vet/ports > docs/results/vet-arenas.md
//	go -C bench run ./vet/ports -only expr
//
// Public modules are copied from the module proxy at a pinned version, and changed
// by lines of our own so that their short-lived values lie in arenas. Their tests
// pass before and after, also with the tag arenadebug, which reports arenas that
// are never freed, and with the race detector. So every report of a check of arenas
// is false. Then one fault after the other is planted, and has to be reported at
// its line. The modules of this repository are checked as they are.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/program"
)

type settings struct {
	out, tool, checkout string
	only                string
	tests               bool
}

func main() {
	var s settings
	flag.StringVar(&s.out, "o", "../heapwright-out/ports", "make the ports in `DIR`; modules that are there are not fetched again")
	flag.StringVar(&s.tool, "tool", "", "run this heapwright `FILE` (default: build it)")
	flag.StringVar(&s.only, "only", "", "only these comma-separated `PORTS`, and not this repository")
	flag.BoolVar(&s.tests, "test", true, "run the tests of the modules")
	program.Main(s.run)
}

func (s *settings) run(ctx context.Context) (err error) {
	if s.out, err = filepath.Abs(s.out); err != nil {
		return err
	}
	if s.checkout, err = filepath.Abs(".."); err != nil {
		return err
	}
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	if s.tool, err = program.Heapwright(ctx, s.tool, s.out); err != nil {
		return err
	}
	var done []*outcome
	var errs []error
	for _, p := range Ports() {
		if s.only != "" && !slices.Contains(strings.Split(s.only, ","), p.Name) {
			continue
		}
		o, err := s.try(ctx, p)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.Name, err))
			continue
		}
		done = append(done, o)
	}
	var own []module
	if s.only == "" {
		if own, err = s.own(ctx); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, write(os.Stdout, done, own))...)
}
