package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/bench/internal/page"
)

//go:embed page.tmpl
var text string

// history holds the runs that count for good: those before anybody had mended anything by
// these programs. Its columns are separated by tabs.
//
//go:embed history.tsv
var history []byte

// results is all that the page shows.
type results struct {
	Own, Foreign, Clean cases
	Earlier             [][]string
}

func newResults(all []*report) *results {
	r := &results{Earlier: data.Table(history)[1:]} // the first has names
	for _, c := range all {
		switch {
		case c.Truth.Clean:
			r.Clean = append(r.Clean, c)
		case c.foreign:
			r.Foreign = append(r.Foreign, c)
		default:
			r.Own = append(r.Own, c)
		}
	}
	return r
}

// page returns the page of answers that were given at a commit.
func (r *results) page(mark page.Mark) string {
	p := page.Page{File: "reports.md", Title: "Answers to public bug reports", Marks: map[string]page.Mark{"all": mark}}
	p.About = page.Fill(text, r)
	return p.String("reports")
}

// Quoted are the cases whose first findings the page quotes.
func (r *results) Quoted() []*report {
	silent := func(c *report) bool { return c.Truth.Clean && len(c.First().Lines) == 0 }
	return slices.DeleteFunc(slices.Concat(r.Own, r.Foreign, r.Clean), silent)
}

// cases are the reports of a kind, or the clean services.
type cases []*report

// Count says how many answers are right, partly right and wrong.
func (all cases) Count() string {
	n := map[verdict]int{}
	for _, c := range all {
		n[c.First().Verdict]++
	}
	return fmt.Sprintf("%d of %d are answered right, %d partly, %d wrong", n[right], len(all), n[partly], n[wrong])
}

// Runs counts the answers, and Called counts those that are not right.
func (all cases) Runs() (n int) {
	for _, c := range all {
		n += len(c.Answers)
	}
	return n
}

func (all cases) Called() (n int) {
	for _, c := range all {
		for _, a := range c.Answers {
			if a.Verdict != right {
				n++
			}
		}
	}
	return n
}

// First is the first answer.
func (c *report) First() answer { return c.Answers[0] }

func (a answer) String() string {
	if a.why == "" {
		return string(a.Verdict)
	}
	return string(a.Verdict) + ": " + cell(a.why)
}

// Leak says what a clean service is called.
func (a answer) Leak() string {
	if a.Verdict == right {
		return "no leak"
	}
	return cell(a.why)
}

var asked = map[string]string{
	"url": "`diagnose URL`", "collect": "`collect`, `diagnose`", "bench": "`diagnose .`", "trace": "`trace URL`", "files": "`diagnose FILE`",
}

// Command is the command of heapwright that is asked.
func (t *truth) Command() string { return asked[t.How] }

// Link is a link to the report, whose name is like golang/go#1.
func (t *truth) Link() string {
	repository, number, _ := strings.Cut(t.Report, "#")
	return fmt.Sprintf("[%s](https://github.com/%s/issues/%s)", t.Report, repository, number)
}

// cell returns a text as it may stand in a table: on one line, not too long.
func cell(text string) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "|", `\|`)), " ")
	if short := []rune(text); len(short) > 120 {
		text = string(short[:119]) + "…"
	}
	return text
}
