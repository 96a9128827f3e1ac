package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/page"
)

// write writes the page of results.
func write(w io.Writer, done []*outcome, own []module) error {
	var b strings.Builder
	fmt.Fprint(&b, page.Head("vet/ports", "vet-arenas.md", "The checks of arenas on ported programs", `Public modules were changed by hand, in [lines of our own](../../bench/vet/ports), so that short-lived values lie in
arenas. Their tests pass as before, also with the tag `+"`arenadebug`"+`, where an arena that is never freed fails the tests,
and with the race detector where that takes minutes at most. So each report on a port is false. Then one fault after
the other was planted into our lines. It counts as found if the named check reports its line.
A first run found 20 of the first 35 faults, and the checks were extended after it. *Unseen* are faults that were written
after that. No check was extended for them.

`), page.Columns("program", "version", "lines changed:", "places that allocate in an arena:", "tests passed:", "with arenadebug:", "with -race:", "false reports:", "planted:", "found:"))
	// Unseen faults are counted apart, because only they show how many faults of other
	// programs the checks would find.
	var sum struct{ reports, planted, found, unseen, unseenFound int }
	for _, o := range done {
		found := 0
		for i, f := range o.Found {
			if f {
				found++
			}
			if o.Plants[i].Unseen {
				sum.unseen++
				if f {
					sum.unseenFound++
				}
			}
		}
		sum.reports, sum.planted, sum.found = sum.reports+len(o.Reports), sum.planted+len(o.Found), sum.found+found
		b.WriteString(page.Row(o.Path, o.Version, o.Lines, o.Moved, o.passed(""), o.passed(debugBuild), o.passed(raceBuild), len(o.Reports), len(o.Found), found))
	}
	fmt.Fprintf(&b, "| | | | | | | | %d | %d | %d (%.0f%%) |\n", sum.reports, sum.planted, sum.found, 100*float64(sum.found)/float64(max(sum.planted, 1)))
	fmt.Fprintf(&b, "\nOf the unseen faults, %d of %d were found.\n", sum.unseenFound, sum.unseen)
	b.WriteString("\n*Tests* are those that passed in the module as published, and those of our own lines.\n\n## The ports\n\n")
	for _, o := range done {
		fmt.Fprintf(&b, "- **%s**: %s\n", o.Name, strings.TrimSpace(o.Lifetimes+" "+o.Leaves))
	}

	// Every fault that was missed has a reason on the page.
	b.WriteString("\n## Planted faults\n\n" + `A fault is noticed in a build if a test fails that passes in the port without it: the tag ` + "`arenadebug`" + ` makes uses
after the end panic and reports arenas that were not freed. No test was written for a fault, so a build notices only
faults on the paths of the tests.

` + page.Columns("program", "check", "fault", "found by vet", "by arenadebug", "by -race"))
	var noticed [2]int
	for _, o := range done {
		for i, found := range o.Found {
			p, answer := o.Plants[i], "yes"
			if !found {
				answer = "no. " + cmp.Or(p.Missed, "not explained yet")
			}
			if p.Unseen {
				answer += " (unseen)"
			}
			debug, race := o.noticed(i, 0, &noticed), o.noticed(i, 1, &noticed)
			b.WriteString(page.Row(o.Name, "`"+p.Check+"`", p.Fault, answer, debug, race))
		}
	}
	fmt.Fprintf(&b, "| | | %d | %d | %d | %d |\n", sum.planted, sum.found, noticed[0], noticed[1])
	for _, o := range done {
		list(&b, o.Name+": false reports", o.Reports)
		for _, t := range o.Tests {
			list(&b, strings.TrimSpace(o.Name+": tests that fail "+t.Build), t.Failing)
		}
	}
	repository(&b, own)
	_, err := io.WriteString(w, b.String())
	return err
}

// noticed is whether a build noticed a fault, as text, and adds to the sums of all builds.
func (o *outcome) noticed(fault, build int, sums *[2]int) string {
	switch {
	case build >= len(o.Noticed[fault]):
		return "–"
	case o.Noticed[fault][build]:
		sums[build]++
		return "yes"
	}
	return "no"
}

// passed returns the number of tests that passed in a build, as text.
func (o *outcome) passed(build string) string {
	for _, t := range o.Tests {
		if t.Build == build && len(t.Failing) > 0 {
			return fmt.Sprintf("%d, %d fail", t.Passed, len(t.Failing))
		} else if t.Build == build {
			return fmt.Sprint(t.Passed)
		}
	}
	return "–"
}

func list(b *strings.Builder, title string, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintf(b, "\n**%s:**\n\n```text\n%s\n```\n", title, strings.Join(lines, "\n"))
	}
}

// repository writes the section about the modules of this repository.
func repository(b *strings.Builder, own []module) {
	if len(own) == 0 {
		return
	}
	b.WriteString("\n## This repository\n\nReports of the same checks on `./...` of every module. Some tests, and the program of a picture, break the rules on purpose: these reports are right.\n\n")
	b.WriteString(page.Columns("module", "reports:", "on purpose:", "false:", "not checked:"))
	for _, m := range own {
		b.WriteString(page.Row(cmp.Or(strings.TrimPrefix(m.Dir, "."), "(root)"), len(m.Reports)+len(m.Misuse), len(m.Misuse), len(m.Reports), len(m.Failed)))
	}
	for _, m := range own {
		list(b, m.Dir+": false reports", m.Reports)
		list(b, m.Dir+": not checked", m.Failed)
	}
}
