package tune

import (
	"fmt"
	"math"
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

// conclude writes the answer. It names the mode to run with, if one was proven, and the
// first thing to change in the code.
func (d *Document) conclude(p Plan, all []candidate, chosen string) {
	saves, run := 0.0, d.noMode(p, all)
	if chosen != "" {
		doc := d.provenBy(chosen)
		d.Advice = &Advice{Mode: chosen, Gains: gains(doc, chosen)}
		d.Advice.Lines, d.Advice.Rollback = d.lines(chosen)
		if d.Savings = p.Prices.savings(doc, chosen); d.Savings == nil && p.Prices.Instances > 0 {
			d.Notes = append(d.Notes, "the monthly saving of "+chosen+" is not known: there is no figure for the CPUs that the target uses")
		}
		run = d.advises(chosen) + ": " + d.change(doc, chosen)
		if d.Library {
			run += " in its benchmarks"
		}
		saves = savedBy(doc, chosen)
	}
	d.Code = d.onTop(saves)
	d.Answer = sentences(strings.TrimSuffix(d.headline(run, saves, chosen != ""), "."), d.accounted())
}

// advises returns the sentence that recommends a mode. To adopt it, users upgrade
// dependencies, set something, or both.
func (d *Document) advises(chosen string) string {
	var upgrade, settings []string
	for _, u := range d.Upgrades {
		if to := versionIn(chosen, u.Module); to != "" {
			upgrade = append(upgrade, fmt.Sprintf("%s from %s to %s", u.Module, u.From, to))
		}
	}
	for _, s := range parsed(chosen).Settings {
		if !strings.HasPrefix(s.String(), "dep=") {
			settings = append(settings, s.String())
		}
	}
	run := "Run with "
	if d.Library {
		run = "Programs that use this library may gain by "
	}
	switch {
	case upgrade == nil:
		return run + chosen
	case settings == nil:
		return "Upgrade " + strings.Join(upgrade, " and ")
	}
	return "Upgrade " + strings.Join(upgrade, " and ") + ". " + run + strings.Join(settings, "+") + ", too"
}

// sentences joins the texts that are not empty.
func sentences(all ...string) string {
	all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
	return strings.Join(all, ". ") + "."
}

// savedBy returns the share of CPU that a mode saves, over all benchmarks.
func savedBy(doc *result.Document, mode string) float64 {
	for _, s := range doc.Summaries {
		if s.Mode == mode && s.Geomean[sample.Primary] > 0 {
			return max(0, 1-s.Geomean[sample.Primary])
		}
	}
	return 0
}

// onTop returns the additional saving of each finding if a mode saves the given share.
// The mode and the finding may save the same cost, because both make the same garbage
// disappear, or different costs. Together they save at most as much as allocating
// nothing. The results are shares of the CPU time that the mode leaves.
func (d *Document) onTop(saves float64) []Code {
	ceiling := 1.0
	if d.Diagnosis.CPU != nil {
		ceiling = d.Diagnosis.CPU.Ceiling.High
	}
	var all []Code
	for i := range d.Diagnosis.Findings {
		f := &d.Diagnosis.Findings[i]
		if f.File == "" {
			continue // it is about the whole program, and the mode is its remedy
		}
		left := 1 - saves
		high := min(f.CPU.High, max(0, ceiling-saves)) / left
		all = append(all, Code{File: f.File, Line: f.Line, Title: f.Title, Saves: evidence.Range{
			Low: min(high, max(0, f.CPU.Low-saves)/left), High: high,
		}, Memory: f.Memory})
	}
	return all
}

// noMode returns the sentence that says why no mode is recommended.
func (d *Document) noMode(p Plan, all []candidate) string {
	e := prospectOf(d.Diagnosis)
	switch {
	case len(all) == 0 && d.noTime != "":
		return "No mode was tried: " + d.noTime
	case len(all) == 0 && e.collectsTooLittle():
		return "No mode was tried: " + e.collects()
	case len(all) == 0:
		return fmt.Sprintf("No mode was tried: within %s of peak RSS the heap has no room to grow",
			format.Bytes(d.MaxRSS))
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
		return fmt.Sprintf("No mode is proven better; %d of %d %s inconclusive: %s", undecided, len(d.Tried), are,
			d.remedy(p))
	}
	if t := d.tooLarge(); t != nil {
		return fmt.Sprintf("No mode that fits is better; %s saves %s of CPU, but takes %s of peak RSS where %s is allowed: to adopt it, give -max-rss %s",
			t.Mode, format.Share(saved(*t)), format.Bytes(t.over.peak), format.Bytes(t.over.allowed), flagSize(1.1*t.over.peak))
	}
	if len(d.Tried) == 1 {
		return "The only mode that was tried, " + d.Tried[0].Mode + ", is not better"
	}
	return fmt.Sprintf("None of %d modes is better", len(d.Tried))
}

// tooLarge returns the mode that saves most among the modes that are rejected only for
// their memory, or nil.
func (d *Document) tooLarge() (most *Tried) {
	for i := range d.Tried {
		t := &d.Tried[i]
		if t.over != nil && (most == nil || saved(*t) > saved(*most)) {
			most = t
		}
	}
	return most
}

// flagSize formats a size as flags accept it.
func flagSize(bytes float64) string { return fmt.Sprintf("%.0fMiB", math.Ceil(bytes/(1<<20))) }

// remedy returns what the user can do to decide undecided modes. For the last
// comparison with an undecided mode, that is the time that the first of them needs.
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
		return "their effects are too close to the noise floor; make the runs longer (-run-time, or -load duration= for a server), or the machine quieter"
	}
	return "give a larger -budget"
}

// betterThan returns an undecided mode that looks better than the open modes of a
// comparison, of which none looks good. More time for that comparison would not help it.
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

// Comparisons returns all comparisons in the order in which they were made.
func (d *Document) Comparisons() []*result.Document {
	var all []*result.Document
	for _, doc := range slices.Concat([]*result.Document{d.Modes}, d.Between, []*result.Document{d.Final}) {
		if doc != nil {
			all = append(all, doc)
		}
	}
	return all
}

// leavesOpen reports whether a mode is still undecided at the end of the tuning.
func (d *Document) leavesOpen(mode string) bool {
	return slices.ContainsFunc(d.Tried, func(t Tried) bool { return t.Mode == mode && t.Decision == verdict.Undecided })
}

// InCode returns the indices of the diagnosis's findings that call for a change of
// the code. It leaves out findings about settings of the runtime: those are measured as
// modes, and a prediction beside a measurement would be a second answer.
func (d *Document) InCode() []int {
	var all []int
	for i, f := range d.Diagnosis.Findings {
		if !rules.BySetting(f.Rule) {
			all = append(all, i)
		}
	}
	return all
}

// provenBy returns the experiment that proved a mode: the last one, or the first if the
// last left the mode open.
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

// change describes the effect of a mode on CPU and memory over all benchmarks.
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

// saving formats the share of CPU time that a range predicts.
func saving(r evidence.Range) string { return format.RoughRange(r.Low, r.High) }

// accounted returns a sentence with the numbers of benchmarks that were profiled and
// compared, or "" if all were.
func (d *Document) accounted() string {
	profiled, leftOut, failed := len(d.Diagnosis.Recorded), len(d.Diagnosis.LeftOut), d.Diagnosis.Failed
	all := profiled + leftOut + len(failed)
	compared := profiled
	if d.Modes != nil {
		compared = len(d.Modes.Benchmarks)
	}
	if len(failed) == 0 && leftOut == 0 && compared >= profiled {
		return ""
	}
	text := fmt.Sprintf("Of %s, %d were profiled", format.Plural(all, "benchmark"), profiled)
	if d.Modes != nil {
		text += fmt.Sprintf(" and the modes compared on %d, those that allocate fastest", compared)
	}
	if n := len(failed); n > 0 {
		var names []string
		for _, k := range failed[:min(3, n)] {
			names = append(names, k.Benchmark)
		}
		if n > 3 {
			names = append(names, "…")
		}
		text += fmt.Sprintf("; %d failed (%s)", n, strings.Join(names, ", "))
	}
	if leftOut > 0 || compared < profiled {
		text += fmt.Sprintf("; %d did not fit into the budget: give a larger -budget, or choose with -bench",
			max(leftOut, profiled-compared))
	}
	return text
}
