package tune

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// worthChanging is the share of CPU or of the live heap from which on a finding
// is named in the answer.
const worthChanging = 0.03

// conclude writes the answer: the mode to run with, if one was proven, and the
// first thing to change in the code. The one that surely saves more stands first;
// where no mode was proven, that is the code.
func (d *Document) conclude(p Plan, all []candidate, chosen string) {
	saves, run := 0.0, d.noMode(p, all)
	if chosen != "" {
		doc := d.provenBy(chosen)
		d.Advice = &Advice{Mode: chosen, Gains: gains(doc, chosen)}
		if !d.Library {
			d.Advice.Lines, d.Advice.Rollback = lines(chosen)
		}
		if d.Savings = p.Prices.savings(doc, chosen); d.Savings == nil && p.Prices.Instances > 0 {
			d.Notes = append(d.Notes, "the monthly saving of "+chosen+" is not known: there is no figure for the CPUs that the target uses")
		}
		run = "Run with " + chosen + ": " + d.change(doc, chosen)
		if d.Library {
			run = "Programs that use this library may gain by " + chosen + ": " + d.change(doc, chosen) + " in its benchmarks"
		}
		saves = savedBy(doc, chosen)
	}
	d.Notes = append(d.Notes, d.partly()...)
	d.Code = d.onTop(saves)
	f, inTests := d.first()
	if f == nil && inTests {
		d.Answer = sentences(run, "Only lines in tests stand out, and tests are not part of the program", d.Own)
		return
	}
	if f == nil {
		d.Answer = sentences(run, "No line of code stands out", d.Own)
		return
	}
	codeFirst := d.Library || chosen == "" || f.CPU.Low > saves || f.Memory.Low >= much
	change := "Next, change"
	if codeFirst {
		change = "First change"
	}
	code := fmt.Sprintf("%s %s:%d (%s): it could save up to %s", change, near(f.File), f.Line, f.Title, format.RoughShare(f.CPU.High))
	if f.Memory.High > f.CPU.High {
		code += " of CPU and " + format.RoughShare(f.Memory.High) + " of the live heap"
	} else {
		code += " of CPU"
		if f.CPU.Low > 0 && f.CPU.Low < unsure*f.CPU.High {
			code += ", or as little as " + format.RoughShare(f.CPU.Low)
		}
	}
	if f.Confidence == evidence.Low {
		code += ", with low confidence"
	}
	if codeFirst {
		d.Answer = sentences(code, run, d.Own)
	} else {
		d.Answer = sentences(run, code, d.Own)
	}
}

// unsure is the part of a predicted saving below which its low end is worth a word.
const unsure = 0.1

// near names a file outside the module, whose path is absolute, by its folder
// and its own name. Other paths are short.
func near(file string) string {
	if !filepath.IsAbs(file) {
		return file
	}
	dir, name := filepath.Split(file)
	return filepath.ToSlash(filepath.Join(filepath.Base(dir), name))
}

// sentences joins the texts that are not empty.
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

// onTop returns the saving of each finding beside a mode that saves so much. A
// finding may save the mode's part as well (it makes the same garbage disappear), or
// nothing of it; both together save at most as much as allocating nothing. Shares are
// of the CPU time that the mode leaves.
func (d *Document) onTop(saves float64) []Code {
	ceiling := 1.0
	if d.Diagnosis.CPU != nil {
		ceiling = d.Diagnosis.CPU.Ceiling.High
	}
	var all []Code
	for i := range d.Diagnosis.Findings {
		f := &d.Diagnosis.Findings[i]
		if f.File == "" {
			continue // about the whole program: the mode cures it
		}
		left := 1 - saves
		high := min(f.CPU.High, max(0, ceiling-saves)) / left
		all = append(all, Code{File: f.File, Line: f.Line, Title: f.Title, Saves: evidence.Range{
			Low: min(high, max(0, f.CPU.Low-saves)/left), High: high,
		}, Memory: f.Memory})
	}
	return all
}

// noMode says why no mode is recommended.
func (d *Document) noMode(p Plan, all []candidate) string {
	e := prospectOf(d.Diagnosis)
	switch {
	case len(all) == 0 && e.collectsTooLittle():
		return "No mode was tried: " + e.collects()
	case len(all) == 0:
		return fmt.Sprintf("No mode was tried: within %s of peak RSS the heap has no room to grow", format.Bytes(d.MaxRSS))
	}
	undecided := 0
	for _, t := range d.Tried {
		if t.Decision == "inconclusive" {
			undecided++
		}
	}
	if undecided > 0 {
		are := "are"
		if undecided == 1 {
			are = "is"
		}
		return fmt.Sprintf("No mode is proven better; %d of %d %s inconclusive: %s", undecided, len(d.Tried), are, d.remedy(p))
	}
	if len(d.Tried) == 1 {
		return "The only mode that was tried, " + d.Tried[0].Mode + ", is not better"
	}
	return fmt.Sprintf("None of %d modes is better", len(d.Tried))
}

// remedy names the way to decide more: the time for the mode that needs least of it
// by the last comparison that left one open.
func (d *Document) remedy(p Plan) string {
	hopeless := false
	for _, doc := range slices.Backward(d.Comparisons()) {
		if doc.Stopped == experiment.Interrupted {
			return "continue with: " + experiment.ResumeCommand("tune", p.OutDir)
		}
		open := slices.DeleteFunc(slices.Clone(doc.Summaries), func(s verdict.Summary) bool {
			hopeless = hopeless || s.Needed != nil && s.Needed.Hopeless()
			return !d.leavesOpen(s.Mode) || s.Needed != nil && s.Needed.Hopeless()
		})
		if better := d.betterThan(open); better != "" {
			return fmt.Sprintf("%s looks best so far, but the time was too short for a second comparison of it; run tune again with a larger -budget", better)
		}
		if mode, needed := verdict.Soonest(open); needed != nil {
			text := fmt.Sprintf("%v would decide about %s", needed, mode)
			if needed.Seconds > 0 {
				text += "; continue with: " + experiment.ResumeCommand("tune", p.OutDir, "-budget", needed.Time().String())
			}
			return text
		}
	}
	if hopeless {
		return "their effects are too close to the noise floor; make the runs longer (-run-time; of a server -load duration=), or the machine quieter"
	}
	return "give a larger -budget"
}

// betterThan returns an undecided mode that looks good, where none of the open ones of
// a comparison does: going on with that comparison would leave it out.
func (d *Document) betterThan(open []verdict.Summary) string {
	better := ""
	for _, t := range d.Tried {
		switch isOpen := slices.ContainsFunc(open, func(s verdict.Summary) bool { return s.Mode == t.Mode }); {
		case !promising(t):
		case isOpen:
			return ""
		case better == "":
			better = t.Mode
		}
	}
	if len(open) == 0 {
		return ""
	}
	return better
}

// Comparisons are all comparisons in the order in which they were made.
func (d *Document) Comparisons() []*result.Document {
	var all []*result.Document
	for _, doc := range slices.Concat([]*result.Document{d.Modes}, d.Between, []*result.Document{d.Final}) {
		if doc != nil {
			all = append(all, doc)
		}
	}
	return all
}

// leavesOpen reports whether a mode is undecided in the end.
func (d *Document) leavesOpen(mode string) bool {
	return slices.ContainsFunc(d.Tried, func(t Tried) bool { return t.Mode == mode && t.Decision == verdict.Undecided })
}

// first is the line of code to begin with, if one is worth it. Modes cure findings
// on the whole program, lines of tests are not the program's, and one of low
// confidence, which may rest on a single sample, comes after the others.
func (d *Document) first() (f *rules.Finding, inTests bool) {
	for i := range d.Diagnosis.Findings {
		next := &d.Diagnosis.Findings[i]
		switch {
		case next.File == "" || next.Ceiling() < worthChanging:
		case next.OfTest():
			inTests = true
		case next.Confidence != evidence.Low:
			return next, false
		case f == nil:
			f = next
		}
	}
	return f, inTests
}

// InCode returns the indices of the diagnosis's findings that call for a change of
// the code. Settings of the runtime are tried as modes: beside their measurement, the
// expectation of a finding would be a second answer.
func (d *Document) InCode() []int {
	var all []int
	for i, f := range d.Diagnosis.Findings {
		if !rules.BySetting(f.Rule) {
			all = append(all, i)
		}
	}
	return all
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

// change tells the effect of a mode on CPU and memory over all benchmarks.
func (d *Document) change(doc *result.Document, mode string) string {
	for _, s := range doc.Summaries {
		if s.Mode == mode {
			text := format.Change(s.Geomean[sample.Primary]) + " of CPU"
			if r, ok := s.Geomean[rss]; ok {
				text += ", " + format.Change(r) + " of peak RSS"
			}
			return text
		}
	}
	return ""
}

// saving is the share of CPU time that a range predicts.
func saving(r evidence.Range) string { return format.RoughRange(r.Low, r.High) }

// partly tells how many of the benchmarks were profiled and compared, if not all.
func (d *Document) partly() []string {
	profiled := len(d.Diagnosis.Recorded)
	all := profiled + len(d.Diagnosis.LeftOut)
	if d.Modes == nil || profiled == all && len(d.Modes.Benchmarks) >= all {
		return nil
	}
	return []string{fmt.Sprintf("of %s the budget was enough to profile %d and to compare the modes on %d, those that allocate fastest: give a larger -budget, or choose with -bench",
		format.Plural(all, "benchmark"), profiled, len(d.Modes.Benchmarks))}
}
