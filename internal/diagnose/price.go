package diagnose

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
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
func (in *inputs) price(ctx context.Context, x *source.Index, findings []rules.Finding) (notes []string, err error) {
	p := price.Plan{
		Target: in.target, Dir: in.plan.Dir, Source: x, OutDir: filepath.Join(in.scratch, "price"),
		Budget: cmp.Or(in.plan.Pricing, pricing), Among: in.recorded, Handler: in.plan.Handler,
	}
	if in.target.Facts().Parts != nil {
		p.Among = nil
	}
	var priced []*rules.Finding
	for i := range findings {
		f := &findings[i]
		file := ""
		if f.Line > 0 && !f.OfTest() && !f.Start {
			file = x.Local(f.Function, f.File)
		}
		if file == "" || len(priced) == mostPriced {
			continue
		}
		priced = append(priced, f)
		p.Sites = append(p.Sites, price.Site{File: file, Line: f.Line, Column: f.Column})
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
