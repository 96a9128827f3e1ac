package tune

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// worthChanging is the share of CPU or of the live heap from which on a finding
// is named in the answer.
const worthChanging = 0.03

// conclude writes the answer: the mode to run with, if one was proven, and the
// first thing to change in the code; what surely saves more stands first.
func (d *Document) conclude(p Plan, all []candidate, chosen string) {
	saves, run := 0.0, d.noMode(all)
	if chosen != "" {
		doc := d.provenBy(chosen)
		d.Advice = &Advice{Mode: chosen, Gains: gains(doc, chosen)}
		d.Advice.Lines, d.Advice.Rollback = lines(chosen)
		if d.Savings = p.Prices.savings(doc, chosen); d.Savings == nil && p.Prices.Instances > 0 {
			d.Notes = append(d.Notes, "what "+chosen+" saves a month is not known: there is no figure of how many CPUs the target uses")
		}
		run = "Run with " + chosen + ": " + d.change(doc, chosen)
		saves = savedBy(doc, chosen)
	}
	d.Code = d.onTop(saves)
	f := d.first()
	if f == nil {
		d.Answer = sentences(run, "No line of code stands out", d.Own)
		return
	}
	code := fmt.Sprintf("In the code begin with %s:%d (%s): it could save up to %s", near(f.File), f.Line, f.Title, percent(f.CPU.High))
	if f.Memory.High > f.CPU.High {
		code += " of CPU and " + percent(f.Memory.High) + " of the live heap"
	} else {
		code += " of CPU"
	}
	if f.CPU.Low > saves || f.Memory.Low >= much {
		d.Answer = sentences(code, run, d.Own)
	} else {
		d.Answer = sentences(run, code, d.Own)
	}
}

// near names a file outside the module, whose path is absolute, by its folder
// and its own name. Other paths are short.
func near(file string) string {
	if !filepath.IsAbs(file) {
		return file
	}
	dir, name := filepath.Split(file)
	return filepath.ToSlash(filepath.Join(filepath.Base(dir), name))
}

// sentences joins what is not empty.
func sentences(all ...string) string {
	all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
	return strings.Join(all, ". ") + "."
}

// savedBy is the share of CPU that a mode saves, over all benchmarks.
func savedBy(doc *result.Document, mode string) float64 {
	for _, s := range doc.Summaries {
		if s.Mode == mode && s.Geomean[sample.Primary] > 0 {
			return max(0, 1-s.Geomean[sample.Primary])
		}
	}
	return 0
}

// onTop returns what each finding saves beside a mode that saves so much. What
// the mode saves, the finding may save as well (it makes the same garbage
// disappear), or not at all; both together save at most what allocating nothing
// would. Shares are of the CPU time that the mode leaves.
func (d *Document) onTop(saves float64) []Code {
	ceiling := 1.0
	if d.Diagnosis.CPU != nil {
		ceiling = d.Diagnosis.CPU.Ceiling.High
	}
	var all []Code
	for i := range d.Diagnosis.Findings {
		f := &d.Diagnosis.Findings[i]
		if f.File == "" {
			continue // about the whole program: that is what the mode does
		}
		left := 1 - saves
		high := min(f.CPU.High, max(0, ceiling-saves)) / left
		all = append(all, Code{File: f.File, Line: f.Line, Title: f.Title, Saves: diagnose.Range{
			Low: min(high, max(0, f.CPU.Low-saves)/left), High: high,
		}, Memory: f.Memory})
	}
	return all
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
		return fmt.Sprintf("No mode is proven better; %d of %d are inconclusive: %s", undecided, len(d.Tried), d.remedy())
	}
	return fmt.Sprintf("None of %d modes is better", len(d.Tried))
}

// remedy is what would decide more: what the last comparison that left something
// open ended for want of.
func (d *Document) remedy() string {
	for _, c := range []struct {
		*result.Document
		share float64 // of what the diagnosis leaves of the budget
	}{{d.Final, 1 - comparing}, {d.Modes, comparing}} {
		switch {
		case c.Document == nil:
		case c.Stopped == experiment.LastLook:
			return "make the runs longer (-run-time; of a server -duration), or the machine quieter"
		case c.Stopped == experiment.Interrupted:
			return "go on with -resume"
		case c.Stopped == experiment.OutOfTime:
			return "give a larger -budget" + enoughFor(c.Document, c.share)
		}
	}
	return "give a larger -budget"
}

// enoughFor is about which budget takes a comparison to its next look.
func enoughFor(doc *result.Document, share float64) string {
	next := slices.IndexFunc(doc.Looks, func(n int) bool { return n > doc.Blocks })
	if next < 0 {
		return ""
	}
	need := time.Duration(doc.PerBlock * float64(doc.Looks[next]) / share / (1 - diagnosing) * float64(time.Second))
	return fmt.Sprintf(", about %v; -resume goes on with it", need.Truncate(time.Minute)+time.Minute)
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

// provenBy is the experiment that proved a mode: the last one, but where that
// left it open, the first.
func (d *Document) provenBy(mode string) *result.Document {
	if d.Final != nil {
		for _, s := range d.Final.Summaries {
			if s.Mode == mode && s.Decision == verdict.Adopt {
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
