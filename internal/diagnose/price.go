package diagnose

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/price"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/source"
)

const (
	// mostPriced is the number of findings that two minutes can price.
	mostPriced = 10
	// pricing is the time for that, if no budget is given for it.
	pricing = 2 * time.Minute
)

// price measures the cost of the lines of the first findings that name one.
func (in *inputs) price(
	ctx context.Context, x *source.Index, e *evidence.Evidence, findings []rules.Finding,
) (notes []string, err error) {
	p := price.Plan{
		Target: in.target, Dir: in.plan.Dir, Source: x, OutDir: filepath.Join(in.scratch, "price"),
		Budget: cmp.Or(in.plan.Pricing, pricing), Among: in.recorded, Handler: in.plan.Handler,
	}
	if in.target.Facts().Parts != nil {
		p.Among = nil
	}
	// The other lines of a finding come after the lines of all findings.
	var all, priced []*rules.Finding
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
		if file == "" || len(priced) == mostPriced {
			continue
		}
		priced = append(priced, f)
		size, share := allocated(e, f)
		if in.target.Facts().Builds != inject.Test { // it does not report the bytes that it allocates
			size, share = 0, 0
		}
		p.Sites = append(p.Sites, price.Site{
			File: file, Line: f.Line, Column: f.Column, Size: size, Share: share,
			Boxes: f.Rule == "boxing", Grows: f.Rule == "append-without-room",
		})
		p.Expected = append(p.Expected, evidence.Range{Low: f.CPU.Low, High: f.CPU.High})
	}
	if len(priced) == 0 {
		return nil, nil
	}
	prices, notes, err := price.Run(ctx, p)
	for i := range prices {
		priced[i].Price = &prices[i]
	}
	rules.ByPrice(findings)
	return notes, err
}

// allocated returns the mean size of the objects that a finding's line allocates, and
// their share of all bytes allocated.
func allocated(e *evidence.Evidence, f *rules.Finding) (size, share float64) {
	var line, all evidence.Amount
	for i := range e.Sites {
		s := &e.Sites[i]
		all.Bytes += s.Recent.Bytes
		if s.Function == f.Function && s.File == f.File && s.Line == f.Line {
			line.Bytes, line.Objects = line.Bytes+s.Recent.Bytes, line.Objects+s.Recent.Objects
		}
	}
	return line.Bytes / max(line.Objects, 1), line.Bytes / max(all.Bytes, 1)
}
