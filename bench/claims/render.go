package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
)

// render writes the page.
func render(w io.Writer, claims []claim, reports map[string]*result.Document) error {
	t := bufio.NewWriter(w)
	fmt.Fprint(t, `# What has been published, measured again

Made by `+"`go -C bench run ./claims`"+` from the reports in [claims/](claims/). `+"`-list`"+` prints the commands that measure them,
`+"`-run`"+` runs those that have no report yet.

A change is after/before - 1, with its interval by [the method](../method.md). A figure of which each side has one run only
has no interval. A change is estimated from pairs of runs; the before and after beside it are the medians of all runs, so
their quotient can differ from it. A gain *holds* if the interval reaches it. It *holds in part* if there is certainly a
gain, but a smaller one.

`+page.Columns("claim", "verdict"))
	for _, c := range claims {
		fmt.Fprint(t, page.Row(fmt.Sprintf("[%s](#%s)", c.title, anchor(c.title)), c.outcome(reports)))
	}
	for _, c := range claims {
		c.render(t, reports)
	}
	fmt.Fprint(t, "\n## The experiments\n\nThese are the commands of `-run`. An experiment that a shorter budget ended has fewer blocks than its command asks for.\n\n",
		page.Columns("experiment", "measured on", "blocks:", "ended by", "command"))
	for _, e := range experiments {
		on, blocks, ended, command := string(unmeasured), "–", "–", e.command(e.budget)
		if doc := reports[e.name]; doc != nil {
			on = fmt.Sprintf("%s, %s, %d cores, %s/%s", doc.Started.Format("2006-01-02"), doc.Machine.CPU, doc.Machine.Cores, doc.Machine.OS, doc.Machine.Arch)
			blocks = fmt.Sprint(doc.Blocks)
			ended = fmt.Sprintf("%s, after %v", doc.Stopped, doc.Finished.Sub(doc.Started).Round(time.Second))
			if slices.Contains(doc.Command, "-budget") { // else another one may have been given
				command = doc.Command
			}
		}
		fmt.Fprint(t, page.Row(e.name, cell(on), blocks, ended, "`heapwright "+cell(line(command))+"`"))
	}
	return t.Flush()
}

// outcome is the verdict on a whole claim.
func (c claim) outcome(reports map[string]*result.Document) outcome {
	if c.cannot != "" {
		return untestable
	}
	var all []outcome
	for _, f := range c.figures {
		for _, from := range f.from {
			_, o := f.find(reports[from])
			all = append(all, o)
		}
	}
	return together(all)
}

// find reads and judges a figure in a report, which may not be there yet.
func (f figure) find(doc *result.Document) (measurement, outcome) {
	if doc == nil {
		return measurement{}, unmeasured
	}
	m, ok := f.read(doc)
	if !ok {
		return m, absent
	}
	return m, f.judge(m)
}

func (c claim) render(t *bufio.Writer, reports map[string]*result.Document) {
	fmt.Fprintf(t, "\n## %s\n\n%s", c.title, c.says)
	switch {
	case strings.HasPrefix(c.source, "https://"):
		fmt.Fprintf(t, " ([source](%s))", c.source)
	case c.source != "":
		fmt.Fprintf(t, " (%s)", c.source)
	default:
		fmt.Fprint(t, " (published without a known address)")
	}
	if c.remark != "" {
		fmt.Fprintf(t, " %s", c.remark)
	}
	o := c.outcome(reports)
	fmt.Fprintf(t, "\n\n**%s**", strings.ToUpper(string(o[:1]))+string(o[1:]))
	if c.cannot != "" {
		fmt.Fprintf(t, ": %s", c.cannot)
	}
	fmt.Fprint(t, ".\n")
	if len(c.figures) == 0 {
		return
	}
	fmt.Fprint(t, "\n", page.Columns("figure", "Go", "published:", "here:", "interval:", "before → after:", "verdict", "experiment"))
	for _, f := range c.figures {
		f.rows(t, reports, true)
	}
	for _, f := range c.beside {
		f.rows(t, reports, false)
	}
}

// rows writes a figure, a line for each experiment.
func (f figure) rows(t *bufio.Writer, reports map[string]*result.Document, published bool) {
	for _, from := range f.from {
		doc := reports[from]
		m, o := f.find(doc)
		said, here, interval, values, release := "–", "–", "–", "–", "–"
		if published {
			said = f.text(f.low)
			if f.high != f.low {
				said = f.between(f.low, f.high)
			}
		}
		if doc != nil {
			release = goOf(doc, f)
		}
		if m.ratio > 0 {
			here = f.text(m.ratio)
			if m.low > 0 {
				interval = f.between(m.low, m.high)
			}
			if f.of == "" {
				values = format.Metric(f.metric, m.before) + " → " + format.Metric(f.metric, m.after)
			}
		}
		verdict := string(o)
		if !published && m.ratio > 0 {
			verdict = "with this project"
		}
		fmt.Fprint(t, page.Row(cell(f.what), release, said, here, interval, values, verdict, from))
	}
}

// goOf is the release that built the candidate.
func goOf(doc *result.Document, f figure) string {
	for _, m := range doc.Modes {
		if m.Name == f.modeIn(doc) || f.of != "" && m.Name == doc.Baseline {
			return strings.TrimPrefix(m.Identity.GoVersion, "go")
		}
	}
	return "–"
}

// text writes a ratio as a change, and a share as it is.
func (f figure) text(ratio float64) string {
	switch {
	case f.of != "":
		return fmt.Sprintf("%.0f%%", 100*ratio)
	case ratio >= result.Infinite:
		return "∞"
	}
	return fmt.Sprintf("%+.1f%%", 100*(ratio-1))
}

// between writes an interval of ratios: "[-45.0%, -35.0%]".
func (f figure) between(low, high float64) string {
	return "[" + f.text(low) + ", " + f.text(high) + "]"
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// anchor is the address of a heading, as GitHub makes it.
func anchor(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-', '0' <= r && r <= '9', 'a' <= r && r <= 'z':
			b.WriteRune(r)
		}
	}
	return b.String()
}
