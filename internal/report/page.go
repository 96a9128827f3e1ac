package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/plain"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// page is what the template of report.html shows, in the page's order. Text in
// it is harmless; the template escapes it.
type page struct {
	Target, Baseline string
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

// method is what the text on method quotes of this experiment.
type method struct {
	Looks string
	Noise string
}

func (g *grid) page() page {
	answer, figures := g.lead()
	p := page{
		Target: plain.Harmless(g.Target), Baseline: plain.Harmless(g.Baseline),
		Answer: answer, Figures: plain.Together(figures),
		When:      g.Started.UTC().Format("2 January 2006, 15:04 UTC"),
		Modes:     g.modeRows(),
		Warnings:  make([]string, 0, len(g.Warnings)),
		Missing:   g.missing(),
		Forests:   g.forests(),
		Tradeoff:  g.tradeoff(),
		Samples:   g.sampleSets(),
		Collector: g.collector(),
		Facts:     g.facts(),
		Command:   commandLine(g.Command), Dir: plain.Harmless(g.Dir), Seed: g.Seed,
		Repeat: g.repeats(),
		Method: method{Looks: g.looks()},
	}
	for _, metric := range g.byInterest() {
		p.Metrics = append(p.Metrics, plain.Harmless(title(metric)))
	}
	for _, w := range g.Warnings {
		p.Warnings = append(p.Warnings, plain.Harmless(w))
	}
	for _, f := range g.Failures {
		p.Failures = append(p.Failures, failureRow{plain.Harmless(f.Key.String()), plain.Harmless(f.Mode), f.Block,
			plain.Harmless(f.Reason), strings.Join(lastLines(f.Output, 40), "\n")})
	}
	if delta, ok := g.noise(sample.Primary); ok {
		p.Method.Noise = "±" + digits(100*delta) + " %"
	}
	return p
}

func (g *grid) modeRows() []modeRow {
	var rows []modeRow
	for _, mode := range g.candidates {
		s := g.summaries[mode]
		r := modeRow{Name: plain.Harmless(mode), Decision: plain.Harmless(string(s.Decision)), Reason: plain.Harmless(s.Reason)}
		r.Shape = decisionShape(s.Decision)
		if s.Failed != "" || s.Decision == "" {
			r.Decision, r.Shape = "no verdict", "failed"
			if reason := g.failed(mode); reason != "" {
				r.Reason = plain.Harmless(reason)
			}
		}
		for _, metric := range g.byInterest() {
			c := changeCell{Text: "–"}
			if ratio, ok := s.Geomean[metric]; ok {
				c = changeCell{whole(ratio), g.direction(mode, metric)}
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

// direction tells the verdict of the benchmarks that moved: worse counts more.
func (g *grid) direction(mode, metric string) string {
	class := ""
	for _, key := range g.benchmarks {
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
	case verdict.NoMatter:
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
		machine += ", " + value("B", float64(m.Memory)) + " of memory"
	}
	if m.Kernel != "" {
		machine += ", kernel " + m.Kernel
	}
	facts := []fact{
		{"Machine", machine},
		{"Go", g.goVersions()},
		{"Blocks", fmt.Sprintf("%d, looks at %s", g.Blocks, g.looks())},
		{"Seed", fmt.Sprint(g.Seed)},
		{"Began", g.Started.Format(time.RFC3339)},
		{"Ended", ended(g.Document)},
		{"Tool", "heapwright " + g.Tool + ", " + g.Schema},
	}
	for i := range facts {
		facts[i].Text = plain.Harmless(facts[i].Text)
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
	return "after " + doc.Finished.Sub(doc.Started).Round(time.Second).String() + why
}

// looks lists the block counts at which it was decided whether to go on.
func (g *grid) looks() string {
	if len(g.Looks) == 0 {
		return "the end only"
	}
	var s []string
	for _, n := range g.Looks {
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
