package view

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
)

const (
	maxSites  = 15 // the rest is in the JSON and HTML
	minSites  = 3
	worthLine = 0.002 // share of CPU or of the live heap
)

func (t text) spending(c *diagnose.Spending) {
	t.head("Where CPU goes")
	if c == nil {
		t.line("  not known: give a CPU profile")
		return
	}
	for _, s := range c.Classes {
		t.line("  %s %s", termtext.Fit(s.Class, 22), termtext.FitRight(format.RoughShare(s.Share), 7))
	}
	t.line("  of %s of CPU time in %s samples", format.Seconds(c.Seconds), format.Count(c.Samples))
	if len(c.Work) > 0 {
		t.line("  in own code and other runtime, the runtime's work:")
	}
	for _, w := range c.Work {
		what := strings.Join(short(w.Functions), ", ")
		if w.Place != nil {
			what = place(w.Place.File, w.Place.Line, 1) + " · " + what
		}
		t.line("    %s %s   %s", termtext.Fit(w.Name, 20), termtext.FitRight(format.RoughShare(w.Share), 7),
			termtext.Cut(what, columns-35))
	}
	if c.Idle > 0.001 {
		t.line("  %s of it is marking on processors that had nothing else to do", format.RoughShare(c.Idle))
	}
	t.line("")
	t.line("  ceiling      allocating nothing at all would save %s", Between(c.Ceiling))
	t.line("  collecting   by the samples %s", Between(c.Collection))
	if c.Accounted != nil {
		t.line("               by the runtime %s, without idle marking", format.RoughShare(*c.Accounted))
	}
	if m := c.Measured; m != nil {
		t.line("               measured       %s [%s, %s] in %s of %s", format.RoughShare(m.Saved),
			format.RoughShare(m.Low), format.RoughShare(m.High), format.Plural(m.Blocks, "pair"), m.Mode)
		if m.Note != "" {
			t.line("               %s", termtext.Cut(m.Note, columns-15))
		}
	}
}

func short(functions []string) []string {
	names := make([]string, len(functions))
	for i, f := range functions {
		names[i] = profile.ShortName(f)
	}
	return names
}

func (t text) holding(h *diagnose.Holding) {
	t.head("Where memory goes")
	for _, p := range h.Parts {
		t.line("  %s %s   %s", termtext.Fit(p.Name, 26), termtext.FitRight(format.Bytes(p.Bytes), 10),
			termtext.Cut(p.Note, columns-44))
	}
	if h.RSS != nil {
		name := "resident (RSS)"
		if h.PeakRSS {
			name = "resident (RSS), peak"
		}
		t.line("  %s %s", termtext.Fit(name, 26), termtext.FitRight(format.Bytes(*h.RSS), 10))
	}
	if h.Goal != nil {
		t.line("  %s %s   %s", termtext.Fit("heap goal", 26), termtext.FitRight(format.Bytes(*h.Goal), 10),
			"at which a collection is to end")
	}
	if h.Rate != nil {
		t.line("  %s %s/s", termtext.Fit("allocated", 26), termtext.FitRight(format.Bytes(*h.Rate), 10))
	}
	for _, u := range h.Unknown {
		t.bullet("not known: " + u)
	}
}

func (t text) sites(d *diagnose.Document) {
	if len(d.Sites) == 0 {
		return
	}
	t.head("Sites")
	t.line("  %s %s %s %s  %s  %s", termtext.FitRight("CPU at most", 11), termtext.FitRight("allocated", 11), termtext.FitRight("live", 10),
		termtext.FitRight("survives", 8), termtext.Fit("behaves", 7), "where")
	shown := 0
	for i := range d.Sites {
		s := &d.Sites[i]
		if shown == maxSites || shown >= minSites && max(s.CPU.High, s.Memory.High) < worthLine {
			continue
		}
		shown++
		survives := "–"
		if s.Survives != nil {
			survives = format.RoughShare(*s.Survives)
		}
		cpu := "–"
		if d.CPU != nil {
			cpu = Between(s.CPU)
		}
		allocated := format.Bytes(s.Alloc.Bytes)
		if s.Rate != nil {
			allocated = format.Bytes(*s.Rate) + "/s"
		}
		name := place(s.File, s.Line, 2) + " " + profile.ShortName(s.Function)
		t.line("  %s %s %s %s  %s  %s", termtext.FitRight(cpu, 11), termtext.FitRight(allocated, 11), termtext.FitRight(format.Bytes(s.Live.Bytes), 10),
			termtext.FitRight(survives, 8), termtext.Fit(string(s.Behaves), 7), termtext.Cut(name, columns-56))
		if s.Growth != nil && s.Behaves == diagnose.Grows {
			t.line("  %s %s", termtext.Fit("", 44), termtext.Cut("by "+growth(s.Growth), columns-47))
		}
	}
	if n := len(d.Sites) - shown; n > 0 {
		t.line("  … and %d more in the JSON and HTML", n)
	}
	if whys := unclear(d); whys != "" {
		t.bullet(whys)
	}
}

// unclear returns the reason why the behavior of sites is not known, so that it is written once.
func unclear(d *diagnose.Document) string {
	for i := range d.Sites {
		if s := &d.Sites[i]; s.Behaves == diagnose.Unclear {
			return fmt.Sprintf("unclear: %s", s.Why)
		}
	}
	return ""
}
