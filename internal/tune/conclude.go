package tune

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

// worthChanging is the share of CPU or of the live heap from which on a finding
// is named in the answer.
const worthChanging = 0.03

// conclude writes the answer: the mode to run with, if one was proven, and the
// first thing to change in the code.
func (d *Document) conclude(p Plan, all []candidate, chosen string) {
	var parts []string
	if chosen != "" {
		doc := d.provenBy(chosen)
		d.Advice = &Advice{Mode: chosen, Gains: gains(doc, chosen)}
		d.Advice.Lines, d.Advice.Rollback = lines(chosen)
		d.Savings = p.Prices.savings(doc, chosen)
		parts = append(parts, "Run with "+chosen+": "+d.change(doc, chosen))
	} else {
		parts = append(parts, d.noMode(all))
	}
	if f := d.first(); f != nil {
		parts = append(parts, fmt.Sprintf("In the code begin with %s:%d (%s): it could save up to %s", f.File, f.Line, f.Title, percent(f.Ceiling())))
	} else {
		parts = append(parts, "No line of code stands out")
	}
	d.Answer = strings.Join(parts, ". ") + "."
}

// noMode says why no mode is recommended.
func (d *Document) noMode(all []candidate) string {
	e := evidenceOf(d.Diagnosis)
	switch {
	case len(all) == 0 && e.collectsTooLittle():
		return "No mode was tried: collecting takes " + shares(e.collection) + " of CPU"
	case len(all) == 0:
		return fmt.Sprintf("No mode was tried: within %s of peak RSS the heap has no room to grow", size(d.MaxRSS))
	}
	undecided := 0
	for _, t := range d.Tried {
		if t.Decision == "inconclusive" {
			undecided++
		}
	}
	if undecided > 0 {
		return fmt.Sprintf("No mode is proven better; %d of %d are inconclusive: give a larger -budget", undecided, len(d.Tried))
	}
	return fmt.Sprintf("None of %d modes is better", len(d.Tried))
}

// first is the line of code to begin with, if one is worth it. Findings on the
// whole program are what modes cure.
func (d *Document) first() *diagnose.Finding {
	for i, f := range d.Diagnosis.Findings {
		if f.File != "" && f.Ceiling() >= worthChanging {
			return &d.Diagnosis.Findings[i]
		}
	}
	return nil
}

// provenBy is the experiment that proved a mode last.
func (d *Document) provenBy(mode string) *result.Document {
	if d.Final != nil {
		for _, s := range d.Final.Summaries {
			if s.Mode == mode {
				return d.Final
			}
		}
	}
	return d.Modes
}

// change tells what a mode does to CPU and to memory over all benchmarks.
func (d *Document) change(doc *result.Document, mode string) string {
	for _, s := range doc.Summaries {
		if s.Mode == mode {
			text := signed(s.Geomean[sample.Primary]) + " of CPU"
			if r, ok := s.Geomean[rss]; ok {
				text += ", " + signed(r) + " of peak RSS"
			}
			return text
		}
	}
	return ""
}

func signed(ratio float64) string {
	return strings.Replace(fmt.Sprintf("%+.0f %%", 100*(ratio-1)), "-", "−", 1)
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func shares(r diagnose.Range) string { return fmt.Sprintf("%.1f–%.1f %%", 100*r.Low, 100*r.High) }
