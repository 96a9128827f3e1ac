package diagnose

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/check/placement"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/price"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/source"
)

const (
	// mostPriced is the number of findings that two minutes can price.
	mostPriced = 10
	// leastPriced is a share of CPU time that blocks of two minutes cannot see.
	leastPriced = 0.02
	// pricing is the time for that, if no budget is given for it.
	pricing = 2 * time.Minute
)

// price measures the cost of the lines of the first findings that name one.
func (in *inputs) price(
	ctx context.Context, x *source.Index, e *evidence.Evidence, findings []rules.Finding,
) (notes []string, err error) {
	var all, priced []*rules.Finding
	var lines []line
	p := price.Plan{
		Target: in.target, Dir: in.plan.Dir, Source: x, OutDir: filepath.Join(in.scratch, "price"),
		Budget: cmp.Or(in.plan.Pricing, pricing), Among: in.recorded, Handler: in.plan.Handler,
	}
	if in.target.Facts().Parts != nil {
		p.Among = nil
	}
	p.Later = func(site int, lines []int) float64 { return workOnObjects(e, priced[site].File, lines) }
	// The other lines of a finding come after the lines of all findings.
	for i := range findings {
		all = append(all, &findings[i])
	}
	for i := range findings {
		for j := range findings[i].Others {
			if o := &findings[i].Others[j]; o.Line != findings[i].Line || o.File != findings[i].File {
				all = append(all, o)
			}
		}
	}
	for _, f := range all {
		file := ""
		if f.Line > 0 && !f.OfTest() && !f.Start {
			file = x.Local(f.Function, f.File)
		}
		if file == "" || len(priced) == mostPriced || f.CPU.High < leastPriced {
			continue
		}
		priced = append(priced, f)
		line := lineOf(e, f)
		patch := f.Patch
		if slices.ContainsFunc(p.Sites, func(s price.Site) bool { return s.Patch == patch }) {
			patch = "" // another line's finding has it, and measures it
		}
		size, share := line.size, line.share
		if in.target.Facts().Builds != inject.Test { // it does not report the bytes that it allocates
			size, share = 0, 0
		}
		p.Sites = append(p.Sites, price.Site{
			File: file, Line: f.Line, Column: f.Column, Size: size, Share: share,
			Boxes: f.Rule == "boxing", Grows: f.Rule == "append-without-room", Patch: patch,
			Whole: slices.ContainsFunc(f.Others, func(o rules.Finding) bool {
				return o.Line == f.Line && o.File == f.File
			}),
		})
		lines = append(lines, line)
		p.Expected = append(p.Expected, evidence.Range{Low: f.CPU.Low, High: f.CPU.High})
	}
	if len(priced) == 0 {
		return nil, nil
	}
	prices, notes, err := price.Run(ctx, p)
	for i := range prices {
		prices[i].Estimate, prices[i].Work = lines[i].estimate, lines[i].work
		f := priced[i]
		f.Price, prices[i].Stores = &prices[i], f.Rule == "short-lived"
		if f.Price.Patch != nil {
			f.Price.Patch.Floor = f.Check == placement.Name
		}
	}
	for i, f := range priced { // a patch was measured once for all findings that have it
		same := func(o *rules.Finding) bool { return f.Patch != "" && o.Patch == f.Patch }
		if first := slices.IndexFunc(priced[:i], same); first >= 0 {
			f.Price.Patch = priced[first].Price.Patch
		}
	}
	rules.ByPrice(findings)
	return notes, err
}

// line is the evidence of a finding's line: the mean size of its objects in bytes, its share of
// all bytes allocated, the saving by the samples, and its share of CPU time that is not for
// allocating.
type line struct {
	size, share float64
	estimate    evidence.Range
	work        float64
}

// lineOf adds up the allocations and the work of a finding's line.
func lineOf(e *evidence.Evidence, f *rules.Finding) line {
	l := line{estimate: f.CPU}
	var at, all evidence.Amount
	for i := range e.Sites {
		s := &e.Sites[i]
		all.Bytes += s.Recent.Bytes
		if s.Function == f.Function && s.File == f.File && s.Line == f.Line {
			at.Bytes, at.Objects = at.Bytes+s.Recent.Bytes, at.Objects+s.Recent.Objects
			l.estimate = evidence.Range{Low: s.CPU.Low, High: max(s.CPU.High, f.CPU.High)}
			l.work += s.Sum.Work
		}
	}
	l.size, l.share = at.Bytes/max(at.Objects, 1), at.Bytes/max(all.Bytes, 1)
	return l
}

// ofObjects are the runtime's functions that copy to an object or operate a map, by the
// beginnings of their names.
var ofObjects = []string{"runtime.memmove", "runtime.map", "internal/runtime/maps.", "runtime.typedslicecopy"}

// workOnObjects returns the share of CPU time in which lines of a file copy and operate maps.
func workOnObjects(e *evidence.Evidence, file string, lines []int) (share float64) {
	if e.CPU == nil || len(lines) == 0 {
		return 0
	}
	for _, stack := range e.CPU.Stacks {
		path := e.Frames(stack)
		at := slices.IndexFunc(path, e.Owns)
		if at < 0 || path[at].File != file || !slices.Contains(lines, path[at].Line) {
			continue
		}
		if slices.ContainsFunc(path[:at], func(f evidence.Frame) bool {
			return slices.ContainsFunc(ofObjects, func(name string) bool { return strings.HasPrefix(f.Function, name) })
		}) {
			share += e.Of(stack).Work
		}
	}
	return share
}
