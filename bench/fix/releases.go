package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/bench/internal/fetch"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/survey"
	"github.com/heapwright/heapwright/internal/fix"
	"github.com/heapwright/heapwright/internal/fix/guard"
)

//go:embed releases.txt
var aboutReleases string

// releases measures modules before a release that cut allocations: the patches of fix, and
// how it judges the maintainers' change if a proposer hands that in.
func releases(ctx context.Context, s *survey.Survey, budget time.Duration) error {
	s.Out = filepath.Join(s.Out, "releases")
	only, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	marks := map[string]page.Mark{}
	var rows strings.Builder
	proven, handed, right := 0, 0, 0
	for _, r := range truth.Releases {
		if !only.MatchString(r.Name) {
			continue
		}
		a, own, err := askRelease(ctx, s, r, r.Name, budget)
		if s.Again && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		marks[r.Name] = a.Mark
		gain := "-"
		if own.Patch != "" {
			proven++
			gain = own.Gain.Words()
		}
		said, theirGain, err := theirs(ctx, s, r, budget)
		switch {
		case s.Again && errors.Is(err, fs.ErrNotExist):
			said, theirGain = "not run", "-"
		case err != nil:
			return err
		default:
			handed++
		}
		if rightly(said) {
			right++
		}
		rows.WriteString(page.Row(r.Name+", "+r.Path+"@"+r.Before, r.After, tried(&own), gain, said, theirGain))
	}
	p := page.Page{File: "fix-releases.md", Title: "Fix before a release that cut allocations", Marks: marks}
	p.About = aboutReleases + fmt.Sprintf("\n**%d of %d modules get a proven patch. "+
		"Of %d changes of maintainers that were handed in, %d are judged right.**\n", proven, len(marks), handed, right)
	p.Sections = []page.Section{
		{Title: "Answers", Text: page.Columns(
			"module", "next release", "fix", "its patch", "the maintainers' change", "its gain") + rows.String()},
	}
	fmt.Print(p.String("fix"))
	return nil
}

// askRelease runs fix on the module before a release, with a benchmark of our own.
func askRelease(
	ctx context.Context, s *survey.Survey, r *truth.Release, name string, budget time.Duration, args ...string,
) (survey.Answer, fix.Document, error) {
	made := func(dir string) error {
		file := filepath.Join(dir, r.Package, "heapwright_release_test.go")
		return errors.Join(fetch.Module(ctx, r.Path+"@"+r.Before, dir), os.WriteFile(file, []byte(r.Benchmark), 0o666))
	}
	args = append(args, "-budget", budget.String(), "-bench", "^BenchmarkRelease$", "./"+path.Clean(r.Package))
	return survey.AskIn[fix.Document](ctx, s, name, made, "fix", args...)
}

// proposing is how often the budget of fix alone a run with a proposer needs for as many
// blocks: its time is also for combining, and for a second round.
const proposing = 6

// rightly reports whether the judgement on a change that cut allocations is right.
func rightly(said string) bool {
	return said == string(fix.Kept) || strings.HasPrefix(said, string(fix.Unproven)+": no test runs") ||
		strings.Contains(said, "fails with it")
}

// theirs hands the maintainers' change in as the answer of a proposer: first without its
// tests, and if that is not kept, with them.
func theirs(
	ctx context.Context, s *survey.Survey, r *truth.Release, budget time.Duration,
) (said, gain string, err error) {
	name := r.Name + "-theirs"
	var files [2]string
	for i := range files {
		files[i] = filepath.Join(s.Out, fmt.Sprintf("%s-%d.diff", name, i+1))
	}
	if !s.Again {
		diffs, err := theirDiffs(ctx, s, r)
		if err != nil {
			return "", "", err
		}
		script := fmt.Sprintf("if grep -q '\"round\": *1,'; then cat '%s'; else cat '%s'; fi\n", files[0], files[1])
		err = writeAll(s.Out, map[string]string{
			name + "-1.diff": diffs[0], name + "-2.diff": diffs[1], name + ".sh": script,
		})
		if err != nil {
			return "", "", err
		}
	}
	script := filepath.Join(s.Out, name+".sh")
	_, d, err := askRelease(ctx, s, r, name, proposing*budget, "-propose", "sh '"+script+"'", "-rounds", "2", "-most", "1",
		"-propose-allow", strings.Join(guard.Allowable(), ","))
	if err != nil {
		return "", "", err
	}
	c := judgement(d.Changes)
	if c == nil {
		return "not handed in", "-", nil
	}
	said, gain = string(c.Outcome), "-"
	if c.Outcome != fix.Kept {
		why, _, _ := strings.Cut(c.Why, "\n")
		said += ": " + strings.ReplaceAll(why, "|", "/")
	}
	if c.Gain != nil {
		gain = cmp.Or(c.Gain.Words(), "-")
	}
	return said, gain, nil
}

// judgement returns the proposal that came furthest, the last one of several, or nil if
// there is none.
func judgement(all []fix.Change) (best *fix.Change) {
	came := func(c *fix.Change) int {
		switch {
		case c.Outcome == fix.Kept:
			return 3
		case c.Outcome == fix.Unproven:
			return 2
		case c.Gain != nil:
			return 1
		}
		return 0
	}
	for i := range all {
		if c := &all[i]; c.Round > 0 && (best == nil || came(c) >= came(best)) {
			best = c
		}
	}
	return best
}
