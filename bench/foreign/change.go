package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/rules"
)

// changeResult is a change with its predicted and its measured saving.
type changeResult struct {
	change           *truth.Change
	findings         []*rules.Finding // none: nothing is said of the place
	predicted        evidence.Range   // the sum of the findings'
	saved, low, high float64          // shares of CPU time
	failed           string
}

// inside reports whether the measured saving lies in the predicted range.
func (c *changeResult) inside() bool {
	return c.predicted.Low <= c.saved && c.saved <= c.predicted.High
}

// change makes a change in a copy of the module that the job diagnosed, runs the module's
// tests, and compares the copy with the module. If the advice is a mode, it compares that
// mode.
func (s *settings) change(ctx context.Context, c *truth.Change, j job, o *outcome) (*changeResult, error) {
	r := &changeResult{change: c}
	if o.Document == nil {
		r.failed = "there is no diagnosis"
		return r, nil
	}

	// A change that no finding proposes has no prediction to compare with.
	r.findings = findingsAt(o.Document.Findings, c)
	if len(r.findings) == 0 {
		return r, nil
	}
	for _, f := range r.findings {
		r.predicted = r.predicted.Plus(f.CPU)
	}

	// Results are kept, because a run takes minutes: first the tests, then the comparison.
	out := filepath.Join(s.Out, "change-"+strings.NewReplacer("/", "-", ":", "-").Replace(c.Of+"-"+c.For))
	report := filepath.Join(out, "report.json")
	if _, err := os.Stat(report); err != nil {
		if s.Again {
			return nil, errNotRun
		}
		module, modes := filepath.Join(j.dir, "module"), advisedMode(r.findings[0])
		if len(c.Edits) > 0 {
			fmt.Fprintf(os.Stderr, "%s %s: test\n", c.Of, c.For)
			err := s.once(out, func(module string) error {
				if err := commit(ctx, c, module); err != nil {
					return err
				}
				return tested(ctx, c, module)
			}, module)
			if err != nil {
				r.failed = err.Error()
				return r, nil
			}
			module, modes = filepath.Join(out, "module"), "rev=HEAD~1,rev=HEAD"
		}
		if modes == "" {
			r.failed = "the finding names no mode"
			return r, nil
		}
		fmt.Fprintf(os.Stderr, "%s %s: compare\n", c.Of, c.For)
		args := append([]string{s.Tool, "compare", "-C", module, "-o", out, "-budget", s.budget.String(), "-modes", modes}, j.args...)
		if err := program.Outside(module).Run(ctx, args...); err != nil {
			return nil, err
		}
	}
	doc, err := program.ReadJSON[result.Document](report)
	if err != nil {
		return nil, err
	}
	r.read(&doc)
	return r, nil
}

// modeInText finds the mode that a finding writes as an environment.
var modeInText = regexp.MustCompile(`GOGC=\d+(?: GOMEMLIMIT=\w+)?`)

// advisedMode returns the modes to compare, "" if the finding names none.
func advisedMode(f *rules.Finding) string {
	mode := modeInText.FindString(f.Example)
	if mode == "" {
		return ""
	}
	return "default," + strings.ReplaceAll(mode, " ", "+")
}

// read takes the mean over the benchmarks: each was profiled for as long.
func (c *changeResult) read(doc *result.Document) {
	n := 0.0
	for _, e := range doc.Effects {
		if e.Metric == "cpu-sec/op" {
			if e.Low <= 0 || math.IsInf(e.High, 1) {
				c.failed = "too few blocks for an interval"
				return
			}
			n++
			c.saved, c.low, c.high = c.saved+1-e.Ratio, c.low+1-e.High, c.high+1-e.Low
		}
	}
	if n == 0 {
		c.failed = "compare tells no CPU time: " + doc.Stopped
		return
	}
	c.saved, c.low, c.high = c.saved/n, c.low/n, c.high/n
}

// findingsAt returns the findings that a change carries out together.
func findingsAt(all []rules.Finding, c *truth.Change) (here []*rules.Finding) {
	p := truth.Place{At: c.For, Rules: c.Rules}
	for i := range all {
		f := &all[i]
		if !p.Holds(f.File, f.Line) {
			continue
		}
		if p.Allows(f.Rule) {
			here = append(here, f)
		}
		here = append(here, findingsAt(f.Others, c)...)
	}
	return here
}

// commit makes a repository of two commits: the module, and the change.
func commit(ctx context.Context, c *truth.Change, module string) error {
	as := []string{"git", "-c", "user.name=foreign", "-c", "user.email=foreign@example.org"}
	git := func(args ...string) error { return program.Outside(module).Run(ctx, append(as, args...)...) }
	if err := errors.Join(git("init", "-q"), git("add", "-Af"), git("commit", "-qm", "as it is")); err != nil {
		return err
	}
	if err := c.Apply(module); err != nil {
		return err
	}
	return git("commit", "-qam", "as advised")
}

// tested runs the tests of a change that was made in a module.
func tested(ctx context.Context, c *truth.Change, module string) error {
	test := []string{"go", "test", "-vet=off"}
	if err := program.Outside(module).Run(ctx, append(test, c.Tests...)...); err != nil || !c.Race {
		return err
	}
	return program.Outside(module).Run(ctx, append(append(test, "-race"), c.Tests...)...)
}
