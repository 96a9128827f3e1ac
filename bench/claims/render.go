package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
)

// reports are the reports that are there, by experiment.
type reports map[string]*result.Document

//go:embed page.tmpl
var text string

// render returns the page.
func render(claims []claim, all reports) string {
	var sections []section
	for _, c := range claims {
		sections = append(sections, section{c, all})
	}
	return page.Fill(text, map[string]any{"Claims": sections, "Experiments": all.experiments()})
}

// experiments returns a row for each experiment.
func (all reports) experiments() (rows []string) {
	for _, e := range experiments {
		on, blocks, ended, command := string(unmeasured), "–", "–", e.command(e.budget)
		if doc := all[e.name]; doc != nil {
			on = fmt.Sprintf("%s, %s, %d cores, %s/%s", doc.Started.Format("2006-01-02"), doc.Machine.CPU, doc.Machine.Cores, doc.Machine.OS, doc.Machine.Arch)
			blocks = fmt.Sprint(doc.Blocks)
			ended = fmt.Sprintf("%s, after %v", doc.Stopped, doc.Finished.Sub(doc.Started).Round(time.Second))
			if slices.Contains(doc.Command, "-budget") { // else another one may have been given
				command = doc.Command
			}
		}
		rows = append(rows, page.Row(e.name, cell(on), blocks, ended, "`heapwright "+cell(line(command))+"`"))
	}
	return rows
}

// section is a claim with the reports that its figures are in.
type section struct {
	claim
	reports reports
}

// Outcome is the verdict on the whole claim.
func (s section) Outcome() outcome {
	if s.Cannot != "" {
		return untestable
	}
	var all []outcome
	for _, f := range s.figures {
		for _, from := range f.from {
			_, o := f.find(s.reports[from])
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

// Verdict is the outcome at the beginning of a sentence.
func (s section) Verdict() string {
	o := s.Outcome()
	return strings.ToUpper(string(o[:1])) + string(o[1:])
}

// Origin says where the claim was published.
func (s section) Origin() string {
	switch {
	case strings.HasPrefix(s.source, "https://"):
		return fmt.Sprintf("([source](%s))", s.source)
	case s.source != "":
		return fmt.Sprintf("(%s)", s.source)
	}
	return "(published without a known address)"
}

// Rows returns a row for each figure in each experiment.
func (s section) Rows() (rows []string) {
	for i, f := range slices.Concat(s.figures, s.beside) {
		for _, from := range f.from {
			rows = append(rows, f.row(s.reports[from], from, i < len(s.figures)))
		}
	}
	return rows
}

func (f figure) row(doc *result.Document, from string, published bool) string {
	said, here, interval, values, release := "–", "–", "–", "–", "–"
	m, o := f.find(doc)
	switch {
	case published && f.high != f.low:
		said = f.between(f.low, f.high)
	case published:
		said = f.text(f.low)
	case m.ratio > 0:
		o = "with this project"
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
	return page.Row(cell(f.what), release, said, here, interval, values, o, from)
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

// Anchor is the address of the claim's heading, as GitHub makes it.
func (s section) Anchor() string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', '0' <= r && r <= '9', 'a' <= r && r <= 'z':
			return r
		}
		return -1
	}, strings.ToLower(s.Title))
}
