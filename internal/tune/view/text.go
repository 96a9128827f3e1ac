// Package view shows a tuning as text, as JSON and as one HTML file.
//
// The stance: the answer comes first, and the evidence below it. Rejected modes are
// reported as plainly as adopted ones.
package view

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/diagnose"
	diagnosis "github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/tune"
)

const columns = 100

type text struct{ *bufio.Writer }

func (t text) line(format string, args ...any) {
	fmt.Fprintf(t, format, args...)
	t.WriteByte('\n')
}

// wrapped writes a text in as many lines as it needs, all of them indented.
func (t text) wrapped(indent int, s string) {
	for _, l := range termtext.Wrap(s, columns-indent) {
		t.line("%*s%s", indent, "", l)
	}
}

// Text writes a tuning for people: the answer, the modes, the lines to paste and the
// first findings. The last line names dir, which has everything else.
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
	if d.Modes != nil && len(d.Modes.Traces) > 0 {
		t.line("\nTimelines of the collector: %s", termtext.Harmless(filepath.Join(filepath.Dir(dir), "traces")))
	}
	if dir != "" {
		t.line("\nEverything, with plots and all samples: %s", termtext.Harmless(dir))
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
	if s.Samples > 0 && s.Samples < fewSamples {
		t.wrapped(2, fmt.Sprintf("The shares come from only %s samples of CPU time: give a larger -budget.",
			format.Count(s.Samples)))
	}
	t.wrapped(2, "Allocating nothing at all would save "+format.RoughRange(s.Ceiling.Low, s.Ceiling.High)+".")
	if c := s.Measured; c != nil {
		t.wrapped(2, collecting(c))
	}
}

// fewSamples is the number of samples below which shares are uncertain: half a second of
// CPU time. For a measured share of 10%, the interval is 4% to 21%.
const fewSamples = 50

// collecting returns a sentence with the cost of GC, measured by runs without it, and
// says whether that is above the noise.
func collecting(c *diagnose.Control) string {
	text := "GC takes"
	if c.Low <= 0 {
		text = "The cost of GC cannot be distinguished from noise:"
	}
	return fmt.Sprintf("%s %s %s of CPU, measured in %d pairs of runs with and without it.", text,
		format.Share(c.Saved), format.ShareInterval(c.Low, c.High), c.Blocks)
}

// classes lists the shares of CPU time by class, without those below one per cent.
func classes(s *diagnose.Spending) string {
	var all []string
	for _, c := range s.Classes {
		if c.Share >= 0.01 {
			all = append(all, fmt.Sprintf("%s %s", c.Class, format.Share(c.Share)))
		}
	}
	return strings.Join(all, " · ")
}

func (t text) tried(d *tune.Document) {
	if len(d.Tried) == 0 {
		return
	}
	t.line("\nMODES, with %s", termtext.Harmless(allowed(d)))
	for _, m := range d.Tried {
		t.line("  %s %s %s of CPU, %s of peak RSS", termtext.Fit(string(m.Decision), 12), termtext.Fit(m.Mode, 30),
			effect(m, sample.Primary), effect(m, sample.PeakRSS))
		t.wrapped(15, m.Reason+" ("+m.Why+")")
	}
}

// allowed describes the memory that a mode may have, and the reason for that bound.
func allowed(d *tune.Document) string {
	if d.MaxRSS == 0 {
		return "peak RSS " + d.MaxRSSWhy
	}
	return fmt.Sprintf("at most %s of peak RSS: %s", format.Bytes(d.MaxRSS), d.MaxRSSWhy)
}

func (t text) advice(d *tune.Document) {
	if d.Advice == nil {
		return
	}
	t.line("\nTO RUN WITH %s", termtext.Harmless(d.Advice.Mode))
	t.gains(d.Advice.Gains)
	for _, place := range slices.Sorted(maps.Keys(d.Advice.Lines)) {
		t.line("  %s", place)
		for l := range strings.Lines(d.Advice.Lines[place]) {
			t.line("      %s", strings.TrimRight(l, "\n"))
		}
	}
	if d.Advice.Rollback != "" {
		t.wrapped(2, "To go back: "+d.Advice.Rollback+".")
	}
	if s := d.Savings; s != nil {
		t.wrapped(2, fmt.Sprintf("It saves %.2f a month: %.2f of CPU, %.2f of memory (%s).", s.Total, s.CPU, s.Memory,
			s.Basis))
	}
}

// costMetrics are the metrics that people pay for or wait for.
var costMetrics = []string{sample.Primary, "p99-latency-sec", sample.PeakRSS}

// maxGains is the number of gains in the text. The files have all of them.
const maxGains = 12

func (t text) gains(all []tune.Gain) {
	all = slices.DeleteFunc(slices.Clone(all), func(g tune.Gain) bool { return !slices.Contains(costMetrics, g.Metric) })
	for _, g := range all[:min(maxGains, len(all))] {
		t.line("  %s%s → %s  %s %s  %s", termtext.Fit(sample.Lookup(g.Metric).Title, 13), termtext.FitRight(format.Metric(g.Metric, g.Before), 8), termtext.Fit(format.Metric(g.Metric, g.After), 8),
			termtext.FitRight(format.ChangeWithin(g.Ratio, g.Low, g.High), 7), termtext.Fit(format.Interval(g.Low, g.High), 18), termtext.Cut(g.Benchmark, 34))
		if g.Note != "" {
			t.wrapped(6, g.Note)
		}
	}
	if n := len(all) - maxGains; n > 0 {
		t.line("  … and %d more", n)
	}
}

// maxFindings is the number of findings in the text. The files have all of them.
const maxFindings = 3

func (t text) findings(d *tune.Document) {
	all := d.InCode()
	if len(all) == 0 {
		return
	}
	t.line("\nIN THE CODE; ranges are of the CPU time before")
	for rank, i := range all[:min(maxFindings, len(all))] {
		f := &d.Diagnosis.Findings[i]
		diagnosis.Finding(t.Writer, rank+1, f)
		if c := onTop(d, f); c != nil {
			t.wrapped(4, fmt.Sprintf("On top of %s it saves %s of the remaining CPU time.", d.Advice.Mode,
				format.RoughRange(c.Saves.Low, c.Saves.High)))
		}
	}
	if n := len(all) - maxFindings; n > 0 {
		t.line("\n… and %d more", n)
	}
}

// onTop returns what a finding saves in addition to the recommended mode, or nil.
func onTop(d *tune.Document, f *rules.Finding) *tune.Code {
	for i, c := range d.Code {
		if d.Advice != nil && c.File == f.File && c.Line == f.Line && c.Title == f.Title {
			return &d.Code[i]
		}
	}
	return nil
}

// fewBlocks is the number of pairs of runs below which a change may well be noise.
const fewBlocks = 3

// effect formats the effect of a mode on a metric, or a dash if it is not known.
func effect(t tune.Tried, metric string) string {
	r, ok := t.Change[metric]
	if !ok || t.Blocks > 0 && t.Blocks < fewBlocks {
		return "–"
	}
	return format.Change(r)
}
