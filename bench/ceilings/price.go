package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/workload"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

//go:embed prices.txt
var aboutPrices string

// prices measures the prices of all pairs, and the savings of their cures.
func prices(ctx context.Context, o options) error {
	fmt.Print(page.Head("ceilings", "prices.md", "Prices and measured savings of planted faults", aboutPrices))
	fmt.Print(page.Columns("pair", "lines:", "price:", "half-width:", "measured:", "inside", "time:"))
	inside, n := 0, 0
	var widths, times, differences []float64
	for _, p := range all() {
		if !o.only.MatchString(p.name) {
			continue
		}
		asked, err := p.price(ctx, o)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		truth, err := p.measure(ctx, o)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		n++
		differences = append(differences, asked.differences()...)
		times = append(times, asked.Took.Seconds())
		measured := format.Share(truth.share) + " " + format.ShareInterval(truth.low, truth.high)
		if len(asked.Lines) == 0 {
			fmt.Printf("| %s | 0 | none | | %s | no | %.0f s |\n", p.name, measured, asked.Took.Seconds())
		} else {
			r := asked.saves(truth)
			half, holds := (r.High-r.Low)/2, r.Low <= truth.share && truth.share <= r.High
			if widths = append(widths, half); holds {
				inside++
			}
			fmt.Printf("| %s | %d | %.1f–%.1f%% | ±%.1f points | %s | %s | %.0f s |\n",
				p.name, len(asked.Lines), 100*r.Low, 100*r.High, 100*half, measured, page.YesNo(holds), asked.Took.Seconds())
		}
		fmt.Fprintf(os.Stderr, "%s: %d lines have prices, %d have none\n", p.name, len(asked.Lines), len(asked.Unpriced))
	}
	if len(widths) == 0 {
		return errors.New("no pair has a price")
	}
	fmt.Printf("\n%d of %d inside; the median of the half-widths is %.1f percentage points; the longest diagnosis "+
		"took %.0f s, profiles and prices included\n", inside, n, 100*program.Median(widths), slices.Max(times))
	squares := 0.0
	for _, d := range differences {
		squares += d * d
	}
	fmt.Printf("\nAt %d lines that only allocate, the two loops have prices whose logarithms differ by a root mean square of %.2f\n",
		len(differences), math.Sqrt(squares/float64(max(len(differences), 1))))
	return nil
}

// differences returns by how much the logarithms of the prices of the expression and of its memory
// differ, at lines whose expressions only allocate.
func (a *answer) differences() (all []float64) {
	for _, f := range a.Lines {
		p, only := f.Price, []string{"boxing", "closure", "short-lived", "string-conversion"}
		if slices.Contains(only, f.Rule) && p.Why == "" && p.Memory != nil && p.Memory.Why == "" && min(p.CPU, p.Memory.CPU) > 0 {
			all = append(all, math.Log(p.CPU/p.Memory.CPU))
		}
	}
	return all
}

// answer is the price of a pair's faulty lines together.
type answer struct {
	Lines          []*rules.Finding
	Unpriced       []*rules.Finding
	Bytes, Objects float64 // parts of all that is allocated
	Took           time.Duration
	all            float64      // objects
	seen           map[int]bool // lines
}

// sameRemedy is how far the bytes that a patch saves may be from the cure's, as shares of all
// bytes allocated.
const sameRemedy = 0.1

// parts returns the least and the most of the lines' allocations that a cure saves. If it saves all
// of their objects, but not as many bytes, it allocates these elsewhere, in fewer objects. Objects
// and bytes both cost, and no sample says how much of the cost is for which.
func (a *answer) parts(cure saving) (least, most float64) {
	bytes, objects := cure.bytes/max(a.Bytes, 1e-9), cure.objects/max(a.Objects, 1e-9)
	most = min(1, max(bytes, objects))
	return min(bytes, most), most
}

// saves adds up the lines' prices for a cure. A patch that saves as many bytes is the same
// remedy, and its saving counts.
func (a *answer) saves(cure saving) evidence.Range {
	least, most := a.parts(cure)
	var sum, lines evidence.Range
	estimated, noise := 0.0, 0.0
	var floor *rules.Price
	counted := map[string]bool{}
	for _, f := range a.Lines {
		patch := f.Price.Patch
		usable := patch != nil && patch.Why == "" && math.Abs(patch.Bytes-cure.bytes) <= sameRemedy
		if usable && !patch.Floor {
			if !counted[f.Patch] {
				counted[f.Patch], sum.Low, sum.High = true, sum.Low+patch.Low, sum.High+patch.High
			}
			continue
		}
		if usable {
			floor = patch
		}
		estimated += most * f.Price.Estimate.High
		if line, ok := f.Price.Line(); ok {
			lines.Low, lines.High = lines.Low+least*line.Low, lines.High+most*line.High
			noise = max(noise, f.Price.Noise)
		}
	}
	// The saving of one line, which Price.Saves returns, follows the same rules. The cure is
	// measured once for all lines.
	lines = finding.Again(lines, noise)
	if floor != nil {
		lines = finding.Above(floor, lines, estimated)
	}
	sum.Low, sum.High = sum.Low+lines.Low, sum.High+lines.High
	// A line without a price keeps its estimate.
	for _, f := range a.Unpriced {
		sum.Low, sum.High = sum.Low+least*f.CPU.Low, sum.High+most*f.CPU.High
	}
	return evidence.Range{Low: max(0, sum.Low), High: min(1, sum.High)}
}

// price diagnoses the faulty program with prices.
func (p pair) price(ctx context.Context, o options) (answer, error) {
	kept := filepath.Join(o.out, p.name, "price.json")
	if o.again {
		return program.ReadJSON[answer](kept)
	}
	plan, err := workload.Plan(p.pkg, p.bench, "default")
	if err != nil {
		return answer{}, err
	}
	began := time.Now()
	doc, err := diagnose.Run(ctx, diagnose.Plan{
		Target: plan.Target, Bench: p.bench, Dir: plan.Dir,
		Budget: 4 * o.record, Price: true, Pricing: o.pricing,
	})
	if err != nil {
		return answer{}, err
	}
	a := answer{Took: time.Since(began), seen: map[int]bool{}}
	for i := range doc.Sites {
		a.all += doc.Sites[i].Alloc.Objects
	}
	for i := range doc.Findings {
		f := &doc.Findings[i]
		p.add(&a, doc, f)
		for j := range f.Others {
			if o := &f.Others[j]; o.Line != f.Line {
				p.add(&a, doc, o)
			}
		}
	}
	return a, program.WriteJSON(kept, a)
}

// add adds the price of a finding, if the cure removes its line's allocations: a function of
// its path matches, from the one that allocates to the line's.
func (p pair) add(a *answer, doc *diagnose.Document, f *rules.Finding) {
	spared := func(at evidence.Frame) bool { return p.removes.MatchString(at.Function) }
	below := f.Path[:1+slices.IndexFunc(f.Path, func(at evidence.Frame) bool { return at.Function == f.Function })]
	if f.Line == 0 || f.OfTest() || !slices.ContainsFunc(below, spared) || a.seen[f.Line] {
		return // the price of its memory is the line's
	}
	a.seen[f.Line] = true
	for i := range doc.Sites {
		if s := &doc.Sites[i]; s.File == f.File && s.Line == f.Line && s.Function == f.Function {
			a.Bytes, a.Objects = a.Bytes+s.Share, a.Objects+s.Alloc.Objects/max(a.all, 1)
		}
	}
	if f.Price == nil {
		a.Unpriced = append(a.Unpriced, f)
		return
	}
	if _, ok := f.Price.Saves(); ok {
		a.Lines = append(a.Lines, f)
	} else {
		a.Unpriced = append(a.Unpriced, f)
	}
}
