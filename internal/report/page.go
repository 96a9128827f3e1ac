package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/verdict"
)

// page holds the data of the template of report.html, in the page's order. Text in
// it is harmless; the template escapes it.
type page struct {
	Target, Baseline string
	Revision         string // the target's; "" where it is not known
	Answer, Figures  string
	When             string
	Metrics          []string // titles of the columns of Modes
	Modes            []modeRow
	Failures         []failureRow
	Warnings         []string
	Missing          []string
	Forests          []forest
	Tradeoff         *tradeoff // nil where a metric for it is missing
	Samples          []sampleSet
	Collector        *collector // nil without untimed runs
	Traces           []traceItem
	Facts            []fact
	Command, Dir     string
	Seed             uint64
	Repeat           []repeat
	Method           method
}

type modeRow struct {
	Name     string
	Decision string // also a CSS class
	Shape    string
	Reason   string
	Changes  []changeCell
}

// changeCell is a mode's change over all benchmarks.
type changeCell struct {
	Text  string
	Class string // the verdict of those benchmarks that moved, "" if none did
}

type failureRow struct {
	Benchmark, Mode string
	Block           int
	Reason          string
	Output          string // several lines
}

type fact struct{ Name, Text string }

// method holds the figures of this experiment that the text on method quotes.
type method struct {
	Analyses string
	Noise    string
}

func (g *grid) page() page {
	answer, figures := g.lead()
	modes, effects, samples := &section{"modes", pageRows, 0}, &section{"effects", pageRows, 0},
		&section{"samples", pageRows, 0}
	collector, points := &section{"collector", pageRows, 0}, &section{"CPU against memory", pagePoints, 0}
	p := page{
		Target: termtext.Harmless(g.Target), Revision: termtext.Harmless(g.Revision),
		Baseline: termtext.Harmless(g.Baseline), Answer: answer, Figures: figures,
		When:      g.Started.UTC().Format("2 January 2006, 15:04 UTC"),
		Modes:     g.modeRows(modes),
		Warnings:  make([]string, 0, len(g.Warnings)),
		Missing:   g.missing(),
		Forests:   g.forests(effects),
		Tradeoff:  g.tradeoff(points),
		Samples:   g.sampleSets(samples),
		Collector: g.collector(collector),
		Traces:    g.traceItems(),
		Facts:     g.facts(),
		Command:   termtext.Harmless(mode.CommandLine(nil, "heapwright", g.Command...)),
		Dir:       termtext.Harmless(g.Dir), Seed: g.Seed, Repeat: g.repeats(),
		Method: method{Analyses: g.analyses()},
	}
	for _, metric := range g.byInterest() {
		p.Metrics = append(p.Metrics, termtext.Harmless(title(metric)))
	}
	for _, w := range g.Warnings {
		p.Warnings = append(p.Warnings, termtext.Harmless(w))
	}
	// The sections know only now how many rows they had to leave out.
	for _, s := range []*section{modes, effects, points, collector, samples} {
		if s.rows > s.limit {
			p.Warnings = append(p.Warnings, s.note())
		}
	}
	for _, f := range g.Failures {
		p.Failures = append(p.Failures, failureRow{
			Benchmark: termtext.Harmless(f.Key.String()),
			Mode:      termtext.Harmless(f.Mode),
			Block:     f.Block,
			Reason:    termtext.Harmless(f.Reason),
			Output:    strings.Join(termtext.LastLines(f.Output, 40), "\n"),
		})
	}
	if delta, ok := g.noise(sample.Primary); ok {
		p.Method.Noise = "±" + format.Share(delta)
	}
	return p
}

func (g *grid) modeRows(section *section) []modeRow {
	var rows []modeRow
	for _, mode := range g.candidates {
		if section.full() {
			continue
		}
		s := g.summaries[mode]
		r := modeRow{Name: termtext.Harmless(mode), Decision: termtext.Harmless(string(s.Decision)),
			Reason: termtext.Harmless(s.Reason)}
		r.Shape = decisionShape(s.Decision)
		if s.Failed != "" || s.Decision == "" {
			r.Decision, r.Shape = "no verdict", "failed"
			if reason := g.failed(mode); reason != "" {
				r.Reason = termtext.Harmless(reason)
			}
		}
		for _, metric := range g.byInterest() {
			c := changeCell{Text: "–"}
			if ratio, ok := s.Geomean[metric]; ok {
				c = changeCell{format.Change(ratio), g.direction(mode, metric)}
			}
			r.Changes = append(r.Changes, c)
		}
		rows = append(rows, r)
	}
	return rows
}

// byInterest lists the judged metrics by how much one wants to know them of a
// memory mode, for where the last ones may be out of sight.
func (g *grid) byInterest() []string {
	var order set[string]
	for _, metric := range slices.Concat([]string{sample.Primary}, beside, g.judged) {
		if slices.Contains(g.judged, metric) {
			order.add(metric)
		}
	}
	return order.list
}

// direction returns the verdict on the benchmarks that moved: worse counts more.
func (g *grid) direction(mode, metric string) string {
	class := ""
	for _, key := range g.affected[mode] {
		switch g.effects[cell{key, mode, metric}].Verdict {
		case verdict.Worse:
			return string(verdict.Worse)
		case verdict.Better:
			class = string(verdict.Better)
		}
	}
	return class
}

// decisionShape and verdictShape name the page's symbols.
func decisionShape(d verdict.Decision) string {
	switch d {
	case verdict.Adopt:
		return "better"
	case verdict.Reject:
		return "worse"
	case verdict.Neutral:
		return "same"
	}
	return "inconclusive"
}

func verdictShape(v verdict.Verdict) string {
	switch v {
	case verdict.Better, verdict.Worse, verdict.Same:
		return string(v)
	}
	return "inconclusive"
}

func (g *grid) facts() []fact {
	m := g.Machine
	machine := fmt.Sprintf("%s/%s, %d cores", m.OS, m.Arch, m.Cores)
	if m.CPU != "" {
		machine = m.CPU + ", " + machine
	}
	if m.Memory > 0 {
		machine += ", " + format.Bytes(float64(m.Memory)) + " of memory"
	}
	if m.Kernel != "" {
		machine += ", kernel " + m.Kernel
	}
	facts := []fact{
		{"Machine", machine},
		{"Go", g.goVersions()},
		{"Blocks", fmt.Sprintf("%d, analyses at %s", g.Blocks, g.analyses())},
		{"Seed", fmt.Sprint(g.Seed)},
		{"Began", g.Started.Format(time.RFC3339)},
		{"Ended", ended(g.Document)},
		{"Tool", "heapwright " + g.Tool + ", " + g.Schema},
	}
	for i := range facts {
		facts[i].Text = termtext.Harmless(facts[i].Text)
	}
	return facts
}

func ended(doc *result.Document) string {
	why := ""
	if doc.Stopped != "" {
		why = ": " + doc.Stopped
	}
	if doc.Finished.IsZero() {
		return "cut short" + why
	}
	took, known := doc.Took()
	if !known {
		return "after a time that is not known: the clock was set meanwhile" + why
	}
	return "after " + format.Duration(took.Round(time.Second)) + why
}

// analyses lists the block counts of the interim analyses and the final one.
func (g *grid) analyses() string {
	if len(g.Analyses) == 0 {
		return "the end only"
	}
	var s []string
	for _, n := range g.Analyses {
		s = append(s, fmt.Sprint(n))
	}
	return strings.Join(s, ", ")
}

// goVersions lists the toolchains of the modes.
func (g *grid) goVersions() string {
	var versions set[string]
	for _, m := range g.Document.Modes {
		if v := m.Identity.GoVersion; v != "" {
			versions.add(v)
		}
	}
	if versions.list == nil {
		return "not known"
	}
	return strings.Join(versions.list, ", ")
}

// figure marks SVG that this package drew; everything in it is escaped.
type figure = template.HTML
