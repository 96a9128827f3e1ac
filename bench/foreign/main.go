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
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/bench/internal/program"
)

type settings struct {
	out, tool string
	only      string
	parts     string
	into      string
	kept      bool
	budget    time.Duration
}

func main() {
	var s settings
	flag.StringVar(&s.out, "o", "../heapwright-out/foreign", "keep modules and raw data in `DIR`; what is there is not run again")
	flag.StringVar(&s.tool, "tool", "", "run this heapwright `FILE` (default: build it)")
	flag.StringVar(&s.only, "only", "", "run only the modules and releases with these comma-separated `NAMES`")
	flag.StringVar(&s.parts, "parts", "modules,releases,changes", "run these comma-separated `PARTS` of the page")
	flag.StringVar(&s.into, "into", "", "replace the sections of the page `FILE`, and keep those that are not measured")
	flag.BoolVar(&s.kept, "kept", false, "judge what is kept below -o, and run nothing")
	flag.DurationVar(&s.budget, "budget", time.Minute, "of one diagnosis")
	program.Main(program.InScratch(s.run))
}

func (s *settings) run(ctx context.Context, dir string) (err error) {
	if s.out, err = filepath.Abs(s.out); err != nil {
		return err
	}
	if s.tool, err = program.Heapwright(ctx, s.tool, dir); err != nil {
		return err
	}
	var t table
	err = s.fill(ctx, &t)
	p := t.page()
	if s.into != "" {
		return errors.Join(err, p.Into(s.into))
	}
	fmt.Print(p.String("foreign"))
	return err
}

// fill runs and judges the chosen parts until the context ends.
func (s *settings) fill(ctx context.Context, t *table) error {
	modules, releases, changes, err := s.choose()
	if err != nil {
		return err
	}
	// Parts that are not kept and not to be run are left out of the table.
	for _, m := range modules {
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
	for _, r := range releases {
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
	for _, c := range changes {
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

// choose returns the parts to run: all, or the modules that -only names with their
// changes.
func (s *settings) choose() (modules []*truth.Module, releases []*truth.Release, changes []*truth.Change, err error) {
	part := func(name string) bool { return strings.Contains(s.parts, name) }
	if s.only != "" && s.into != "" {
		return nil, nil, nil, errors.New("-into replaces whole parts: leave out -only")
	}
	wanted := strings.Split(s.only, ",")
	known := map[string]bool{}
	is := func(name string) bool {
		known[name] = true
		return s.only == "" || slices.Contains(wanted, name)
	}
	for _, m := range truth.Modules {
		if is(m.Name) && part("modules") {
			modules = append(modules, m)
		}
	}
	for _, r := range truth.Releases {
		if is(r.Name) && part("releases") {
			releases = append(releases, r)
		}
	}
	for _, c := range truth.Changes {
		if is(c.Of) && part("changes") {
			changes = append(changes, c)
		}
	}
	for _, name := range wanted {
		if s.only != "" && !known[name] {
			return nil, nil, nil, fmt.Errorf("there is no module or release %q", name)
		}
	}
	return modules, releases, changes, nil
}
