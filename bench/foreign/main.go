// Foreign holds heapwright's answers against the truth on modules that were not
// written for it. Each is taken from the module proxy at a pinned version,
// copied, and diagnosed as a user would. The places that the first three findings
// name, the advice that would break the program, and the time it took are then
// judged by a truth that was found by hand before.
//
//	go -C bench run ./foreign > docs/results/foreign.md
//
// Runs are kept below -o: a kept run is judged again, not run again.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/survey"
)

type settings struct {
	*survey.Survey
	parts, into string
	budget      time.Duration
}

func main() {
	s := settings{Survey: survey.Flags("../heapwright-out/foreign")}
	flag.StringVar(&s.parts, "parts", "modules,releases,changes", "run these comma-separated `PARTS` of the page")
	flag.StringVar(&s.into, "into", "", "replace the sections of the page `FILE`, and keep those that are not measured")
	flag.DurationVar(&s.budget, "budget", time.Minute, "of one diagnosis")
	program.Main(s.run)
}

func (s *settings) run(ctx context.Context) error {
	only, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	if only.String() != "" && s.into != "" {
		return errors.New("-into replaces whole parts: leave out -only")
	}
	var t table
	err = s.fill(ctx, only, &t)
	p := t.page()
	if s.into != "" {
		return errors.Join(err, p.Into(s.into))
	}
	fmt.Print(p.String("foreign"))
	return err
}

// fill runs and judges the chosen parts until the context ends.
func (s *settings) fill(ctx context.Context, only *regexp.Regexp, t *table) error {
	part := func(part, name string) bool { return strings.Contains(s.parts, part) && only.MatchString(name) }
	// Parts that are not kept and not to be run are left out of the table.
	for _, m := range truth.Modules {
		if !part("modules", m.Name) {
			continue
		}
		o, err := s.measure(ctx, s.moduleJob(ctx, m))
		if errors.Is(err, errNotRun) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		j := judge(m, o)
		s.carryOut(ctx, j, s.moduleJob(ctx, m))
		t.modules = append(t.modules, j)
	}
	for _, r := range truth.Releases {
		if !part("releases", r.Name) {
			continue
		}
		for _, on := range []side{inside, outside} {
			o, err := s.measure(ctx, s.releaseJob(ctx, r, on))
			if errors.Is(err, errNotRun) {
				continue
			}
			if err != nil {
				return fmt.Errorf("%s, %s: %w", r.Name, on, err)
			}
			t.releases = append(t.releases, &releaseRun{release: r, side: on, outcome: o, rank: rankOf(r, o, on)})
		}
	}

	// A change needs the diagnosis that predicts its saving.
	for _, c := range truth.Changes {
		if !part("changes", c.Of) {
			continue
		}
		j := s.jobOf(ctx, c.Of)
		o, err := s.measure(ctx, j)
		if errors.Is(err, errNotRun) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.Of, err)
		}
		done, err := s.change(ctx, c, j, o)
		if errors.Is(err, errNotRun) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", c.Of, c.For, err)
		}
		t.changes = append(t.changes, done)
	}
	return nil
}

// jobOf returns the diagnosis that a change is advised by.
func (s *settings) jobOf(ctx context.Context, name string) job {
	for _, m := range truth.Modules {
		if m.Name == name {
			return s.moduleJob(ctx, m)
		}
	}
	all := slices.Concat(truth.Releases, truth.Paths)
	i := slices.IndexFunc(all, func(r *truth.Release) bool { return r.Name == name })
	return s.releaseJob(ctx, all[i], inside)
}
