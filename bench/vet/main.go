// Vet applies every fix that heapwright vet offers on modules that were not
// written for it, and proves that they build and vet as before.
//
//	go -C bench run ./vet > docs/results/vet.md
//	go -C bench run ./vet -only github.com/dgraph-io/badger/v4 -test
//
// Each module is taken from the module proxy at a pinned version and copied. All
// checks run on all of its packages with -all. Then all fixes are applied, again
// until none is left, and the go command builds and vets the module. With -test
// it also runs the tests of the changed packages, twice before and once after.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/foreign/truth"
)

// more are modules besides those of bench/foreign.
var more = []string{
	"golang.org/x/tools@v0.52.0",
	"google.golang.org/grpc@v1.85.0",
	"github.com/prometheus/alertmanager@v0.34.1",
	"github.com/prometheus/node_exporter@v1.12.1",
	"github.com/klauspost/compress@v1.20.3",
}

type settings struct {
	out, tool string
	only      string
	test      bool
}

func main() {
	var s settings
	flag.StringVar(&s.out, "o", "../heapwright-out/vet", "keep the modules, their changes and the reports in `DIR`")
	flag.StringVar(&s.tool, "tool", "", "run this heapwright `FILE` (default: build it)")
	flag.StringVar(&s.only, "only", "", "only the modules with these comma-separated `PATHS`")
	flag.BoolVar(&s.test, "test", false, "run the tests of changed packages, too")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := s.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "vet:", err)
		os.Exit(1)
	}
}

func (s *settings) run(ctx context.Context) (err error) {
	if s.out, err = filepath.Abs(s.out); err != nil {
		return err
	}
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	if s.tool == "" {
		s.tool = filepath.Join(s.out, "heapwright.exe")
		build := exec.CommandContext(ctx, "go", "build", "-o", s.tool, "github.com/heapwright/heapwright/cmd/heapwright")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building heapwright: %w", err)
		}
	} else if s.tool, err = filepath.Abs(s.tool); err != nil {
		return err
	}
	var all []string
	for _, m := range truth.Modules {
		all = append(all, m.Path+"@"+m.Version)
	}
	var done []*outcome
	var errs []error
	for _, m := range append(all, more...) {
		path, _, _ := strings.Cut(m, "@")
		if s.only != "" && !slices.Contains(strings.Split(s.only, ","), path) {
			continue
		}
		o, err := s.module(ctx, m)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m, err))
			continue
		}
		done = append(done, o)
	}
	return errors.Join(append(errs, write(os.Stdout, done, s.test))...)
}
