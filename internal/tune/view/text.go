// Package view shows a tuning: as text, as JSON, as one HTML file.
//
// The stance: the answer stands first, what it rests on below it, and what was
// rejected is told as plainly as what was adopted.
package view

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/diagnose"
	diagnosis "github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/plain"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/tune"
)

const columns = 100

type text struct{ *bufio.Writer }

func (t text) line(format string, args ...any) {
	fmt.Fprintf(t, format, args...)
	t.WriteByte('\n')
}

// wrapped writes a text that may take several lines, each indented.
func (t text) wrapped(indent int, s string) {
	for _, l := range plain.Wrap(s, columns-indent) {
		t.line("%*s%s", indent, "", l)
	}
}

// Text writes a tuning for people: the answer, the modes, the lines to paste and
// the first findings. dir holds the rest, and is named at the end.
func Text(w io.Writer, d *tune.Document, dir string) error {
	t := text{bufio.NewWriter(w)}
	t.wrapped(0, d.Answer)
	t.spending(d)
	t.tried(d)
	t.advice(d)
	t.findings(d)
	for _, n := range d.Notes {
		t.wrapped(0, "note: "+n)
	}
	if dir != "" {
		t.line("\nAll of it, with plots and every sample: %s", plain.Harmless(dir))
	}
	return t.Flush()
}

func (t text) spending(d *tune.Document) {
	s := d.Diagnosis.CPU
	if s == nil {
		t.line("\nWhere CPU goes is not known: there is no profile of it.")
		return
	}
	t.line("\nWHERE CPU GOES")
	t.wrapped(2, classes(s))
	t.wrapped(2, fmt.Sprintf("Allocating nothing at all would save %.0f–%.0f %%.", 100*s.Ceiling.Low, 100*s.Ceiling.High))
	if c := s.Measured; c != nil {
		t.wrapped(2, fmt.Sprintf("Collecting costs %.1f %% [%.1f, %.1f], measured by %d pairs of runs without it.", 100*c.Saved, 100*c.Low, 100*c.High, c.Blocks))
	}
}

// classes tells where CPU time goes, but for fractions of a per cent.
func classes(s *diagnose.Spending) string {
	var all []string
	for _, c := range s.Classes {
		if c.Share >= 0.01 {
			all = append(all, fmt.Sprintf("%s %.0f %%", c.Class, 100*c.Share))
		}
	}
	return strings.Join(all, " · ")
}

func (t text) tried(d *tune.Document) {
	if len(d.Tried) == 0 {
		return
	}
	t.line("\nMODES, with %s", plain.Harmless(allowed(d)))
	for _, m := range d.Tried {
		t.line("  %s %s %s of CPU, %s of peak RSS", plain.Fit(string(m.Decision), 12), plain.Fit(m.Mode, 30),
			ratio(m.Change, sample.Primary), ratio(m.Change, "peak-RSS-bytes"))
		t.wrapped(15, m.Reason+" ("+m.Why+")")
	}
}

// allowed is the memory that a mode may have, and why so much.
func allowed(d *tune.Document) string {
	if d.MaxRSS == 0 {
		return "peak RSS " + d.MaxRSSWhy
	}
	return fmt.Sprintf("at most %.0f MiB of peak RSS: %s", d.MaxRSS/(1<<20), d.MaxRSSWhy)
}

func (t text) advice(d *tune.Document) {
	if d.Advice == nil {
		return
	}
	t.line("\nTO RUN WITH %s", plain.Harmless(d.Advice.Mode))
	t.gains(d.Advice.Gains)
	for _, place := range slices.Sorted(maps.Keys(d.Advice.Lines)) {
		t.line("  %s", place)
		for l := range strings.Lines(d.Advice.Lines[place]) {
			t.line("      %s", strings.TrimRight(l, "\n"))
		}
	}
	t.wrapped(2, "To go back: "+d.Advice.Rollback+".")
	if s := d.Savings; s != nil {
		t.wrapped(2, fmt.Sprintf("It saves %.2f a month: %.2f of CPU, %.2f of memory (%s).", s.Total, s.CPU, s.Memory, s.Basis))
	}
}

// paid are the metrics that people pay for or wait for.
var paid = []string{sample.Primary, "p99-latency-sec", sample.PeakRSS}

// gained is how many gains the text tells; the rest is in the files.
const gained = 12

func (t text) gains(all []tune.Gain) {
	all = slices.DeleteFunc(slices.Clone(all), func(g tune.Gain) bool { return !slices.Contains(paid, g.Metric) })
	for _, g := range all[:min(gained, len(all))] {
		t.line("  %s%s → %s  %s %s  %s", plain.Fit(sample.Lookup(g.Metric).Title, 13), plain.FitRight(report.Value(g.Metric, g.Before), 8), plain.Fit(report.Value(g.Metric, g.After), 8),
			plain.FitRight(report.Change(g.Ratio), 8), plain.Fit(report.Interval(g.Low, g.High), 18), plain.Cut(g.Benchmark, 34))
	}
	if n := len(all) - gained; n > 0 {
		t.line("  … and %d more", n)
	}
}

// told is how many findings the text tells; the rest is in the files.
const told = 3

func (t text) findings(d *tune.Document) {
	if len(d.Diagnosis.Findings) == 0 {
		return
	}
	t.line("\nIN THE CODE; ranges are of the CPU time before")
	for i := range d.Diagnosis.Findings[:min(told, len(d.Diagnosis.Findings))] {
		f := &d.Diagnosis.Findings[i]
		diagnosis.Finding(t.Writer, i+1, f)
		if c := onTop(d, f); c != nil {
			t.wrapped(4, fmt.Sprintf("On top of %s it saves %.0f–%.0f %% of the CPU time that is left.", d.Advice.Mode, 100*c.Saves.Low, 100*c.Saves.High))
		}
	}
	if n := len(d.Diagnosis.Findings) - told; n > 0 {
		t.line("\n… and %d more", n)
	}
}

// onTop is what a finding saves on top of the mode advised; nil without one.
func onTop(d *tune.Document, f *diagnose.Finding) *tune.Code {
	for i, c := range d.Code {
		if d.Advice != nil && c.File == f.File && c.Line == f.Line && c.Title == f.Title {
			return &d.Code[i]
		}
	}
	return nil
}

// ratio writes a change by its metric, or a dash.
func ratio(change map[string]float64, metric string) string {
	r, ok := change[metric]
	if !ok {
		return "–"
	}
	return report.Change(r)
}
