package mcp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules"
)

// interval has the ends of a range: of a share, or of a ratio.
type interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// finding is a line to change, as a row of the table.
type finding struct {
	Number     int      `json:"number" jsonschema:"for explain_site"`
	File       string   `json:"file" jsonschema:"relative to the module; empty: the whole program"`
	Line       int      `json:"line"`
	Function   string   `json:"function"`
	Problem    string   `json:"problem"`
	Rule       string   `json:"rule"`
	CPU        interval `json:"cpu" jsonschema:"predicted saving as a share of CPU time, 0 to 1"`
	Heap       interval `json:"heap" jsonschema:"predicted saving as a share of the live heap"`
	Bytes      float64  `json:"bytes" jsonschema:"share of all allocated bytes that the line allocates"`
	Price      *price   `json:"price,omitempty" jsonschema:"measured cost of the line, after price"`
	Confidence string   `json:"confidence"`
	Test       bool     `json:"test,omitempty" jsonschema:"of a test or benchmark, not of the program"`
}

// cost is a measured share of CPU time.
type cost struct {
	CPU    float64 `json:"cpu" jsonschema:"share of CPU time"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Blocks int     `json:"blocks" jsonschema:"pairs of runs"`
}

// price is the measured cost of a line.
type price struct {
	cost
	Why    string `json:"why,omitempty" jsonschema:"why there is no price"`
	Memory *cost  `json:"memory,omitempty" jsonschema:"cost of the line's memory alone, which any remedy saves"`
	Patch  *cost  `json:"patch,omitempty" jsonschema:"saving of the finding's own patch, measured"`
}

// coverage says how much of the program a table accounts for.
type coverage struct {
	Bytes float64  `json:"bytes" jsonschema:"part of all allocated bytes"`
	CPU   interval `json:"cpu" jsonschema:"share of CPU time saved by allocating nothing in these lines"`
	Of    interval `json:"of" jsonschema:"share of CPU time saved by allocating nothing anywhere"`
}

// listing is the answer of the tools about findings.
type listing struct {
	Target   string    `json:"target"`
	Made     string    `json:"made" jsonschema:"when the diagnosis was made"`
	Findings []finding `json:"findings" jsonschema:"the most expensive first"`
	More     int       `json:"more,omitempty" jsonschema:"further findings that are not listed"`
	Coverage coverage  `json:"coverage"`
	CPU      []class   `json:"cpu,omitempty" jsonschema:"where CPU time goes"`
	Notes    []string  `json:"notes,omitempty" jsonschema:"doubts about the figures"`
}

// class is a part of the CPU time.
type class struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
}

// maxNotes bounds the doubts of an answer. The document has all.
const maxNotes = 8

// list describes the first findings of a diagnosis.
func list(d *diagnose.Document, most int) *listing {
	l := &listing{
		Target: d.Target, Made: d.Made.Format("2006-01-02 15:04:05 MST"), Findings: []finding{},
		Notes: d.Notes[:min(len(d.Notes), maxNotes)],
	}
	var sites []*diagnose.Place
	for i := range d.Findings {
		if len(l.Findings) == most {
			l.More = len(d.Findings) - most
			break
		}
		f := &d.Findings[i]
		row := rowOf(i+1, f)
		if s := siteOf(d, f.File, f.Line); s != nil {
			row.Bytes = s.Share
			if !slices.Contains(sites, s) {
				sites = append(sites, s)
			}
		}
		l.Findings = append(l.Findings, row)
	}
	l.Coverage = cover(d, sites)
	if d.CPU != nil {
		for _, c := range d.CPU.Classes {
			l.CPU = append(l.CPU, class{c.Class, c.Share})
		}
	}
	return l
}

func rowOf(number int, f *rules.Finding) finding {
	row := finding{
		Number: number, File: f.File, Line: f.Line, Function: f.Function, Problem: f.Title, Rule: f.Rule,
		CPU: interval(f.CPU), Heap: interval(f.Memory), Confidence: string(f.Confidence), Test: f.OfTest(),
	}
	if p := f.Price; p != nil {
		row.Price = &price{cost: costOf(p), Why: p.Why}
		if m := p.Memory; m != nil && m.Why == "" {
			memory := costOf(m)
			row.Price.Memory = &memory
		}
		if m := p.Patch; m != nil && m.Why == "" {
			patch := costOf(m)
			row.Price.Patch = &patch
		}
	}
	return row
}

func costOf(p *rules.Price) cost { return cost{CPU: p.CPU, Low: p.Low, High: p.High, Blocks: p.Blocks} }

// siteOf returns the site of a line, nil if there is none.
func siteOf(d *diagnose.Document, file string, line int) *diagnose.Place {
	for i := range d.Sites {
		if s := &d.Sites[i]; s.File == file && s.Line == line {
			return s
		}
	}
	return nil
}

func cover(d *diagnose.Document, sites []*diagnose.Place) (c coverage) {
	sum := evidence.Range{}
	for _, s := range sites {
		c.Bytes += s.Share
		sum = sum.Plus(s.CPU)
	}
	if d.CPU != nil {
		c.Of = interval(d.CPU.Ceiling)
		// The ends of the sites' ranges need not be reached together.
		c.CPU = interval{min(sum.Low, c.Of.Low), min(sum.High, c.Of.High)}
	}
	c.Bytes = min(c.Bytes, 1)
	return c
}

// String is the listing as a table.
func (l *listing) String() string {
	var out strings.Builder
	if len(l.Findings) == 0 {
		fmt.Fprintf(&out, "No findings for %s: no line costs enough to be worth a change.\n", l.Target)
	} else {
		n := len(l.Findings) + l.More
		fmt.Fprintf(&out, "%s of %s, the most expensive first.\n\n", format.Plural(n, "finding"), l.Target)
		out.WriteString(l.rows().String())
	}
	fmt.Fprintf(&out, "\nCoverage: these lines allocate %s of all bytes.", format.RoughShare(l.Coverage.Bytes))
	if len(l.CPU) > 0 {
		fmt.Fprintf(&out, " Allocating nothing there would save %s of CPU; allocating nothing anywhere, %s.",
			shares(l.Coverage.CPU), shares(l.Coverage.Of))
		var parts []string
		for _, c := range l.CPU {
			parts = append(parts, c.Name+" "+format.RoughShare(c.Share))
		}
		fmt.Fprintf(&out, "\nCPU time: %s.", strings.Join(parts, ", "))
	}
	if l.More > 0 {
		more := format.Plural(l.More, "finding")
		fmt.Fprintf(&out, "\n%s not listed: list_findings with a larger limit lists more.", more)
	}
	for _, n := range l.Notes {
		out.WriteString("\nDoubt: " + n)
	}
	return out.String()
}

func (l *listing) rows() table {
	priced := slices.ContainsFunc(l.Findings, func(f finding) bool { return f.Price != nil })
	rows := table{{"#", "saves CPU", "saves heap", "bytes", "line", "function", "problem"}}
	if priced {
		rows[0] = slices.Insert(rows[0], 1, "price")
	}
	for _, f := range l.Findings {
		at := f.File + ":" + fmt.Sprint(f.Line)
		if f.File == "" {
			at = "the whole program"
		}
		problem := f.Problem
		if f.Test {
			problem += " (test code)"
		}
		row := []string{
			fmt.Sprint(f.Number), view.Saving(evidence.Range(f.CPU)), view.Saving(evidence.Range(f.Heap)),
			format.RoughShare(f.Bytes), at, profile.ShortName(f.Function), problem,
		}
		if priced {
			row = slices.Insert(row, 1, f.Price.String())
		}
		rows = append(rows, row)
	}
	return rows
}

// String is the price of the expression or, without one, of its memory, and a dash if there is
// neither. The reason is in the data, and in explain_site.
func (p *price) String() string {
	switch {
	case p != nil && p.Why == "":
		return p.cost.String()
	case p != nil && p.Memory != nil:
		return "memory " + p.Memory.String()
	}
	return "-"
}

func (c cost) String() string {
	return format.Share(max(c.CPU, 0)) + " " + format.ShareInterval(c.Low, c.High)
}

func shares(r interval) string { return format.RoughRange(r.Low, r.High) }
