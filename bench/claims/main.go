// Claims compares published figures about Go's memory with measurements of this
// project, and writes docs/results/claims.md.
//
//	go -C bench run ./claims -list     # the commands that measure it
//	go -C bench run ./claims -run      # run those that have no report yet
//	go -C bench run ./claims           # make the page of the reports
//
// The stance: no figure of the page is written by hand. Each is read from a
// report that heapwright compare left, and each verdict is computed from the
// interval. Figures that are not measured yet are marked.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
)

type settings struct {
	list, run         bool
	only              string
	raw, reports, out string
	budget            time.Duration
}

func main() {
	var s settings
	flag.BoolVar(&s.list, "list", false, "print the commands, and which of them have a report")
	flag.BoolVar(&s.run, "run", false, "run the commands that have no report yet; interrupted ones continue")
	flag.StringVar(&s.only, "only", "", "with -run: only the experiment `NAME`")
	flag.StringVar(&s.reports, "reports", "docs/results/claims", "keep what is needed of the reports in `DIR`")
	flag.StringVar(&s.raw, "raw", "heapwright-out/claims", "with -run: keep the raw data in `DIR`")
	flag.StringVar(&s.out, "o", "docs/results/claims.md", "write the page to `FILE`")
	flag.DurationVar(&s.budget, "budget", 0, "with -run: of each experiment (default: its own)")
	program.Main(program.InScratch(s.do))
}

func (s *settings) do(ctx context.Context, dir string) error {
	if _, err := os.Stat("../workloads/claims"); err != nil {
		return fmt.Errorf("%w; run it as go -C bench run ./claims", err)
	}
	if err := os.Chdir(".."); err != nil { // the commands are for the repository's root
		return err
	}
	if _, ok := named(s.only); s.only != "" && !ok {
		return fmt.Errorf("there is no experiment %q; -list prints them", s.only)
	}
	switch {
	case s.list:
		return s.printCommands(os.Stdout)
	case s.run:
		if err := s.measure(ctx, dir); err != nil {
			return err
		}
	}
	all, err := s.load()
	if err != nil {
		return err
	}
	return os.WriteFile(s.out, []byte(render(claims, all)), 0o666)
}

// printCommands prints the commands.
func (s *settings) printCommands(w io.Writer) error {
	for _, e := range experiments {
		state := "no report yet"
		if _, err := os.Stat(s.file(e)); err == nil {
			state = "measured"
		}
		if _, err := fmt.Fprintf(w, "%s (%s)\n    heapwright %s\n", e.name, state, line(e.command(s.budgetOf(e)))); err != nil {
			return err
		}
	}
	return nil
}
