package main

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/bench/internal/page"
)

//go:embed about.txt
var about string

// history holds the runs that count for good: those before anybody had mended anything by
// these programs. Its columns are separated by tabs.
//
//go:embed history.tsv
var history []byte

// earlier returns the earlier runs as a table.
func earlier() string {
	text := page.Columns("commit", "run", "reports", "programs of others")
	for _, row := range data.Table(history)[1:] { // the first has names
		text += page.Row(row[0], row[1], row[2], row[3])
	}
	return text
}

// show writes the page of results.
func show(w io.Writer, mark page.Mark, all []*report) error {
	var own, foreign, clean []*report
	for _, c := range all {
		switch {
		case c.truth.Clean:
			clean = append(clean, c)
		case c.foreign:
			foreign = append(foreign, c)
		default:
			own = append(own, c)
		}
	}
	p := page.Page{File: "reports.md", Title: "Answers to public bug reports", Marks: map[string]page.Mark{"all": mark}}
	p.About = about + "\n"
	runs, called := 0, 0
	for _, c := range clean {
		for _, a := range c.answers {
			runs++
			if a.verdict != right {
				called++
			}
		}
	}
	add := func(title, text string) { p.Sections = append(p.Sections, page.Section{Title: title, Text: text}) }
	if len(own) > 0 {
		p.About += "**Of the reports, " + count(own) + ".**\n"
		add("Reports", table(own))
	}
	if len(foreign) > 0 {
		p.About += "**Of the programs that others wrote (given with `-dir`), " + count(foreign) + ".**\n"
		add("Programs of others", table(foreign))
	}
	if len(clean) > 0 {
		p.About += fmt.Sprintf("**%d of %d runs of clean services are called a leak.**\n", called, runs)
		add("Clean services", cleanTable(clean))
	}
	add("Earlier runs", earlier())
	add("What the answers say", answers(slices.Concat(own, foreign, clean)))
	_, err := io.WriteString(w, p.String("reports"))
	return err
}

// count returns how many answers are right, partly right and wrong.
func count(all []*report) string {
	n := map[verdict]int{}
	for _, c := range all {
		n[c.answers[0].verdict]++
	}
	return fmt.Sprintf("%d of %d are answered right, %d partly, %d wrong", n[right], len(all), n[partly], n[wrong])
}

func table(all []*report) string {
	var b strings.Builder
	b.WriteString(page.Columns("program", "report", "problem", "asked by", "answer"))
	for _, c := range all {
		a := c.answers[0]
		said := string(a.verdict)
		if a.why != "" {
			said += ": " + cell(a.why)
		}
		b.WriteString(page.Row(c.name, issue(c.truth.Report), c.truth.Title, asked[c.truth.How], said))
	}
	return b.String()
}

var asked = map[string]string{
	"url": "`diagnose URL`", "collect": "`collect`, `diagnose`", "bench": "`diagnose .`", "trace": "`trace URL`", "files": "`diagnose FILE`",
}

// issue returns a link to the report, such as golang/go#1.
func issue(name string) string {
	repository, number, _ := strings.Cut(name, "#")
	return fmt.Sprintf("[%s](https://github.com/%s/issues/%s)", name, repository, number)
}

func cleanTable(all []*report) string {
	var b strings.Builder
	b.WriteString(page.Columns("program", "service", "answers"))
	for _, c := range all {
		var said []string
		for _, a := range c.answers {
			if a.verdict == right {
				said = append(said, "no leak")
			} else {
				said = append(said, cell(a.why))
			}
		}
		b.WriteString(page.Row(c.name, c.truth.Title, strings.Join(said, "; ")))
	}
	return b.String()
}

// answers quotes the first lines of the first findings.
func answers(all []*report) string {
	var b strings.Builder
	for _, c := range all {
		a := c.answers[0]
		if c.truth.Clean && len(a.first) == 0 {
			continue
		}
		fmt.Fprintf(&b, "**%s**, %s. %s\n\n", c.name, a.verdict, c.truth.Cause)
		if len(a.first) == 0 {
			b.WriteString("    no findings\n\n")
			continue
		}
		for _, line := range a.first {
			fmt.Fprintf(&b, "    %s\n", line)
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// cell returns a text as it may stand in a table: on one line, not too long.
func cell(text string) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "|", `\|`)), " ")
	if short := []rune(text); len(short) > 120 {
		text = string(short[:119]) + "…"
	}
	return text
}
