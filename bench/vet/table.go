package main

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/check"
)

// The sections of the page begin with these texts.
var (
	//go:embed judged.txt
	judgedText string
	//go:embed planted.txt
	plantedText string
	//go:embed fixes.txt
	fixesText string
)

// page returns the page of results. Without outcomes it has only the section about planted
// faults.
func (s *settings) page(all []*outcome, j *judgments) (*page.Page, error) {
	faults, err := plants(checks)
	if err != nil {
		return nil, err
	}
	planted := page.Section{Title: "Planted faults", Text: plantedTable(faults)}
	if len(all) == 0 {
		return &page.Page{Sections: []page.Section{planted}}, nil
	}
	p := &page.Page{File: "vet.md", Title: "vet on modules that were not written for it", Marks: map[string]page.Mark{planted.Title: page.Now()}}
	total := 0
	var lists strings.Builder
	for _, o := range all {
		total += o.Lines
		p.Marks[o.Module] = page.Mark{Commit: o.Commit}
		for _, list := range []struct {
			title string
			lines []string
		}{{"left alone", o.Left}, {"new messages", o.Broken}, {"not checked", o.Failures}, {"tests that fail now", o.Failing}, {"tests that failed before", o.Unstable}} {
			if len(list.lines) > 0 {
				fmt.Fprintf(&lists, "\n**%s, %s:**\n\n```text\n%s\n```\n", o.Module, list.title, strings.Join(list.lines, "\n"))
			}
		}
	}
	p.About = fmt.Sprintf("%d modules, %.1f million lines, with %s. Each module was copied from the module proxy. All checks ran on all of its packages\n"+
		"with `-all`. The cost of a run is on [a page of its own](vet-speed.md).\n", len(all), float64(total)/1e6, page.Platform())
	p.Sections = []page.Section{{Title: "Reports, judged by reading the code", Text: j.table(all)}, planted}
	if !s.reports {
		p.Sections = append(p.Sections, page.Section{Title: "Every fix, applied", Text: fixes(all) + lists.String()})
	}
	return p, nil
}

// table returns the table with the number of right reports of each check.
func (j *judgments) table(all []*outcome) string {
	var b strings.Builder
	b.WriteString(page.Fill(judgedText, sampled) + page.Columns("check", "reports:", "judged:", "right:"))
	reports := map[string]int{}
	for _, o := range all {
		for _, r := range o.Reports {
			reports[r.Check]++
		}
	}
	for _, c := range check.Checks {
		known, right := 0, 0
		for _, r := range j.sample {
			if v, ok := j.all[r.place]; ok && r.Check == c.Name {
				known++
				if v.right {
					right++
				}
			}
		}
		share := "–"
		if known > 0 {
			share = fmt.Sprintf("%d (%.0f%%)", right, 100*float64(right)/float64(known))
		}
		b.WriteString(page.Row("`"+c.Name+"`", reports[c.Name], known, share))
	}
	return b.String()
}

// fixes returns the table with the outcome of the fixes in each module.
func fixes(all []*outcome) string {
	var b strings.Builder
	b.WriteString(fixesText + page.Columns("module", "reports:", "fixes:", "applied:", "left alone:", "new messages:", "not checked:", "tests:", "fail now:", "failed before:"))
	for _, o := range all {
		tests := []any{"–", "–", "–"}
		if o.Tested > 0 {
			tests = []any{o.Tested, len(o.Failing), len(o.Unstable)}
		}
		b.WriteString(page.Row(append([]any{o.Module, len(o.Reports), o.Offered, o.Applied, len(o.Left), len(o.Broken), len(o.Failures)}, tests...)...))
	}
	return b.String()
}
