package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/lengths"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/source"
)

// growing are the rules whose findings may be about something that grows from nothing.
var growing = map[string]bool{"append-without-room": true, "map-without-size": true, "request-buffer": true}

// lengthsPart is the share of the budget for counting lengths, and leastLengths the least time:
// room that suits some benchmarks is a waste in those that are not counted.
const (
	lengthsPart  = 0.25
	leastLengths = 30 * time.Second
)

// callers returns the frames around a finding's line that may have handed it a text to write to.
func callers(f *rules.Finding) []evidence.Frame {
	at := slices.IndexFunc(f.Path, func(c evidence.Frame) bool { return c.File == f.File && c.Line == f.Line })
	if at < 0 || at >= evidence.Outward {
		return nil
	}
	return f.Path[at+1 : min(len(f.Path), evidence.Outward)]
}

// unchanged returns the lines at which no finding has a change.
func unchanged(lines, findings []rules.Finding) []rules.Finding {
	return slices.DeleteFunc(lines, func(l rules.Finding) bool {
		has := func(f rules.Finding) bool { return f.Patch != "" && f.File == l.File && f.Line == l.Line }
		return slices.ContainsFunc(findings, func(f rules.Finding) bool {
			return has(f) || slices.ContainsFunc(f.Others, has)
		})
	})
}

// lengths measures how long the things become that grow at the lines of findings without a
// patch, and adds patches that make them with room. It returns the changes at lines of which
// nothing is found.
func (in *inputs) lengths(
	ctx context.Context, x *source.Index, e *evidence.Evidence, findings []rules.Finding,
) (small []rules.Finding, err error) {
	p := lengths.Plan{
		Target: in.target, Dir: in.plan.Dir, Source: x, OutDir: filepath.Join(in.scratch, "lengths"),
		Budget: max(leastLengths, time.Duration(lengthsPart*float64(in.plan.Budget))),
		Among:  slices.Concat(in.recorded, in.leftOut), Handler: in.plan.Handler,
	}
	if in.target.Facts().Parts != nil {
		p.Among = nil
	}
	var of []*rules.Finding
	add := func(f *rules.Finding) {
		file := x.Local(f.Function, f.File)
		if f.Patch != "" || f.Line == 0 || f.OfTest() || file == "" {
			return
		}
		p.Lines = append(p.Lines, lengths.Line{File: file, Line: f.Line, Of: len(of)})
		for _, caller := range callers(f) {
			if file := x.Local(caller.Function, caller.File); file != "" {
				p.Lines = append(p.Lines, lengths.Line{File: file, Line: caller.Line, Of: len(of), Caller: true})
			}
		}
		of = append(of, f)
	}
	addGrowing := func(f *rules.Finding) {
		if growing[f.Rule] {
			add(f)
		}
	}
	for i := range findings {
		addGrowing(&findings[i])
		for j := range findings[i].Others {
			addGrowing(&findings[i].Others[j])
		}
	}
	// A comparison decides about lines that no rule takes for growing, and about those that cost
	// too little for a finding.
	small = rules.Small(e, findings)
	named, lines := len(of), unchanged(rules.Lines(e), slices.Concat(findings, small))
	for i := range lines {
		add(&lines[i])
	}
	if len(of) == 0 {
		return small, nil
	}
	changes, err := lengths.Run(ctx, p)
	offered := map[string]bool{}
	for i, c := range changes {
		f := of[i]
		if c.Patch == "" || i >= named && offered[c.Patch] {
			continue // or another line of it was first
		}
		offered[c.Patch] = true
		f.Patch, f.Check = c.Patch, lengths.Check
		room := fmt.Sprintf("Make it with room: nine of ten have at most %d %s here. ", c.Room, c.Unit)
		f.Remedy = room + f.Remedy
		if i >= named {
			f.Rule, f.Title = lengths.Check, c.Name+" grows from nothing"
			small = append(small, *f)
		}
	}
	slices.SortStableFunc(small, func(a, b rules.Finding) int { return cmp.Compare(b.CPU.High, a.CPU.High) })
	return small, err
}
