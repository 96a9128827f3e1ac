package finding

import (
	"cmp"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
)

// LibraryLine is a line of a dependency that allocates for a finding's line.
type LibraryLine struct {
	evidence.Frame
	Module  string         `json:"module,omitempty"`  // the module's path; "" if it is not known
	Version string         `json:"version,omitempty"` // "" where it is replaced by a folder
	Latest  string         `json:"latest,omitempty"`  // the newest version, where it is known and another
	Source  string         `json:"source,omitempty"`  // the line's text
	Share   float64        `json:"share"`             // share of the call's allocations
	CPU     evidence.Range `json:"cpu"`               // share of CPU time that this line's allocations cost
	// Rule and Title are from the finding that the line would be if it were of
	// the program's own; empty where there is none.
	Rule  string `json:"rule,omitempty"`
	Title string `json:"title,omitempty"`
}

// maxLibraryLines is the number of lines of a dependency that a finding names, and
// minLibraryShare the smallest part of the call that a line must have.
const (
	maxLibraryLines = 3
	minLibraryShare = 0.05
)

// libraryLines returns the heaviest lines of a dependency below a cause's callee.
func libraryLines(rules []*Rule, e *evidence.Evidence, c *Cause) []LibraryLine {
	if c.Callee == "" {
		return nil
	}
	inner := e.Inner(c.Site, c.Callee)
	sum := 0.0 // their ceilings overlap
	for _, s := range inner {
		sum += e.Size(s.Sum)
	}
	var lines []LibraryLine
	for _, s := range inner {
		share := e.Size(s.Sum) / max(sum, e.Size(c.Weight), 1e-12)
		if len(lines) == maxLibraryLines || share < minLibraryShare {
			break
		}
		l := LibraryLine{Frame: s.Frame, Share: share, CPU: s.CPU}
		m, _, _ := e.Source.Dependency(s.Function, s.File)
		l.Module, l.Version = m.Path, m.Version
		l.Source, _ = e.Source.Line(s.File, s.Line)
		l.Rule, l.Title = ruleOf(rules, e, &s)
		lines = append(lines, l)
	}
	return lines
}

// ruleOf returns the rule with the largest saving in a line, and its words.
func ruleOf(rules []*Rule, e *evidence.Evidence, s *evidence.Site) (name, title string) {
	best := 0.0
	for _, c := range explain(rules, e, s) {
		if c.rule == nil || c.rule.Find != nil {
			continue
		}
		for _, f := range c.rule.perCause(e, []Cause{c.Cause}) {
			if f.Ceiling()+f.Share > best {
				best, name, title = f.Ceiling()+f.Share, c.rule.Name, cmp.Or(f.Title, c.rule.Title)
			}
		}
	}
	return name, title
}

// addLibrary adds to a finding the lines of a dependency that allocate for it.
func (f *Finding) addLibrary(rules []*Rule, r *Rule, e *evidence.Evidence) {
	if f.cause == nil {
		return
	}
	f.Library = libraryLines(rules, e, f.cause)
	if len(f.Library) == 0 || !r.OtherCallees {
		return
	}
	f.Confidence = evidence.Low // the code of another module would have to change
	f.Remedy, f.Example, f.Prose = outsideRemedy, "", true
	if slices.ContainsFunc(f.Library, func(l LibraryLine) bool { return l.Rule != "" && l.Rule != r.Name }) {
		f.Remedy += " The lines above describe the change in the library."
	}
}

const outsideRemedy = "Call it less often: hoist the call out of the loop, or keep its result where it is the same in every call. " +
	"Look for another function of the same library that writes into the caller's memory. Otherwise the library has to change: " +
	"try its newest version, or send the change there. -modules looks into it as if it were the program's own."
