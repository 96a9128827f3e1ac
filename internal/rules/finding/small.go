package finding

import (
	"cmp"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
)

// Small returns the changes of performance checks at lines of the program that allocate and
// of which nothing is found: they cost too little to be reported, or a rule says something
// else about them. What costs most comes first. A comparison decides whether one pays.
func Small(e *evidence.Evidence, found []Finding) []Finding {
	if e.Source == nil {
		return nil
	}
	p, offered := newPatches(e), map[string]bool{}
	for _, f := range found {
		offered[f.Patch] = true
		for _, o := range f.Others {
			offered[o.Patch] = true
		}
	}
	var all []Finding
	for _, f := range Lines(e) {
		if !e.Until.IsZero() && time.Now().After(e.Until) {
			return all
		}
		file := e.Source.Local(f.Function, f.File)
		c := p.packageOf(file)
		for _, fix := range c.fixes {
			if !fix.Lines[0].Has(file, f.Line) {
				continue
			}
			patch, err := c.Patch(fix.Edits)
			if err != nil || offered[patch] {
				continue
			}
			offered[patch] = true
			f.Title, f.Rule, f.Check, f.Patch = fix.Message, fix.Check, fix.Check, patch
			f.Remedy = sentence(fix.Message)
			all = append(all, f)
		}
	}
	return all
}

// Lines returns a finding without words for each line of the program that allocates in the
// measured part, or that takes CPU time: those that cost most first.
func Lines(e *evidence.Evidence) (all []Finding) {
	ofBenchmarks := benchmarked(e)
	add := func(f Finding) {
		f.Start = ofBenchmarks && (beforeBenchmarks(f.Path) || f.isSetUp(e))
		known := slices.ContainsFunc(all, func(o Finding) bool { return o.File == f.File && o.Line == f.Line })
		if !known && !f.OfTest() && f.Line > 0 {
			f.Memory, f.CPU.Low, f.Confidence = evidence.Range{}, 0, evidence.Low
			all = append(all, f)
		}
	}
	for i := range e.Sites {
		if s := &e.Sites[i]; s.Own {
			add(FindingAt(e, s))
		}
	}
	for _, l := range e.LineCosts() {
		if l.Share < evidence.MinSaving {
			break
		}
		f := Finding{File: l.File, Line: l.Line, Function: l.Function, Path: l.Path, CPU: evidence.Range{High: l.Share}}
		f.Source, _ = e.Source.Line(l.File, l.Line)
		add(f)
	}
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Compare(b.CPU.High, a.CPU.High) })
	return all
}
