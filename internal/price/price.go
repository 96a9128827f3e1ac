package price

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Plan is the order for pricing. All fields but Among and Handler are required.
type Plan struct {
	Target   target.Target
	Dir      string // the target's folder, absolute
	Source   *source.Index
	Sites    []Site
	Expected []evidence.Range // each site's estimate
	OutDir   string           // the experiment is kept here
	Budget   time.Duration
	Among    []sample.Key // benchmarks, if they are known
	Handler  result.Handler
}

const (
	// blocks give each of ten sites an interval.
	blocks = 12
	// visible is the change of CPU time that an amplification aims at: far above the
	// noise, and not so much that the collector works in another way.
	visible = 0.6
	// mostTimes bounds the extra executions of an expression.
	mostTimes = 64
	// tolerated is the change of CPU time by the instrumentation alone that needs no note.
	tolerated = 0.05
	// trial is the part of the budget for one block of the first numbers of executions.
	trial = 0.2
)

// loop is a loop of an amplified site in the experiment.
type loop struct {
	number int
	times  float64
	memory bool
	price  *rules.Price
	site   Site
}

// Run measures the prices of the sites, in their order. The notes are doubts.
func Run(ctx context.Context, p Plan) (prices []rules.Price, notes []string, err error) {
	a := amplify(p.Source, p.Sites)
	prices = make([]rules.Price, len(p.Sites))
	var loops []*loop
	for i, s := range a.sites {
		prices[i].Why = s.why
		if s.why == "" {
			loops = append(loops, &loop{number: 2 * i, price: &prices[i], times: times(p.Expected[i])})
		}
		if s.memory {
			prices[i].Memory = &rules.Price{}
			loops = append(loops, &loop{
				number: 2*i + 1, price: prices[i].Memory, times: times(p.Expected[i]), memory: true, site: p.Sites[i],
			})
		}
	}
	if len(loops) == 0 {
		return prices, nil, nil
	}
	patch := filepath.Join(p.OutDir, "amplify.diff")
	err = result.ReplaceAll(p.OutDir, map[string]func(io.Writer) error{
		filepath.Base(patch): func(w io.Writer) error { _, err := io.WriteString(w, a.patch); return err },
	})
	if err != nil {
		return nil, nil, err
	}

	// A block on trial shows how much the first numbers of executions change. Most are near
	// the aim, but no profile says how often a statement is executed for each object.
	first := p
	first.Budget = time.Duration(float64(max(p.Budget, 1)) * trial)
	doc, err := first.measure(ctx, patch, loops, 1)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range loops {
		l.adjust(doc, l.mode(patch))
	}
	p.Budget -= first.Budget
	if doc, err = p.measure(ctx, patch, loops, blocks); err != nil {
		return nil, nil, err
	}
	for _, l := range loops {
		l.read(doc, l.mode(patch))
	}
	if ratio, _, _, n := mean(doc, mode.Default, sample.Primary); n > 0 && math.Abs(1/ratio-1) > tolerated {
		notes = append(notes, fmt.Sprintf("being able to amplify changes CPU time by %+.0f%% on its own: "+
			"the prices are the changed program's", 100*(1/ratio-1)))
	}
	return prices, notes, ctx.Err()
}

// measure compares the loops with the changed program without extra executions.
func (p Plan) measure(ctx context.Context, patch string, loops []*loop, blocks int) (*result.Document, error) {
	names := []string{mode.PatchSetting(patch)}
	for _, l := range loops {
		names = append(names, l.mode(patch))
	}
	modes, err := mode.Parse(strings.Join(append(names, mode.Default), ","))
	if err != nil {
		return nil, err
	}
	doc := experiment.NewDocument()
	plan := experiment.Plan{
		Target: p.Target, Modes: modes, Dir: p.Dir, OutDir: p.OutDir, Budget: max(p.Budget, 1), Blocks: blocks,
		Among: slices.Clone(p.Among), Select: true, Handler: p.Handler, Open: func([]verdict.Effect) int { return 1 },
	}
	if err := experiment.Run(ctx, plan, doc, nil); err != nil && len(doc.Effects) == 0 {
		return nil, err
	}
	return doc, nil
}

func (l *loop) mode(patch string) string {
	return fmt.Sprintf("%s+%s=%d:%.3g", mode.PatchSetting(patch), variable, l.number, l.times)
}

// times returns how often a site is to be executed again.
func times(expected evidence.Range) float64 {
	middle := max(expected.Middle(), visible/mostTimes)
	return max(1, math.Round(visible/middle))
}

// adjust chooses the number of executions anew, if the first changes too much or too little.
func (l *loop) adjust(doc *result.Document, name string) {
	ratio, _, _, n := mean(doc, name, sample.Primary)
	if n == 0 || visible/2 < ratio-1 && ratio-1 < 2*visible {
		return
	}
	l.times = min(l.times*visible/max(ratio-1, visible/8), mostTimes)
	if !l.memory || l.times > 1 {
		l.times = max(1, math.Round(l.times))
	}
}

// read takes a price from the ratio of CPU time with and without the extra executions.
func (l *loop) read(doc *result.Document, name string) {
	for _, m := range doc.Modes {
		if m.Name == name && m.Failed != "" {
			l.price.Why = m.Failed
			return
		}
	}
	ratio, low, high, n := mean(doc, name, sample.Primary)
	if n == 0 || math.IsInf(high, 0) || low == 0 {
		l.price.Why = "too few pairs of runs for an interval; give a larger -budget"
		return
	}
	per := 1 / l.times
	if l.memory {
		bytes, _, _, n := mean(doc, name, "B/op")
		if n == 0 || bytes <= 1 {
			l.price.Why = "the target does not report the bytes that it allocates"
			return
		}
		per = l.site.Share / (bytes - 1)
	}
	l.price.CPU, l.price.Low, l.price.High = (ratio-1)*per, (low-1)*per, (high-1)*per
	l.price.Times, l.price.Blocks = l.times, doc.Blocks
}

// mean returns the mean ratio of a metric over the benchmarks, with its interval: the
// mean of theirs, which is rather too wide.
func mean(doc *result.Document, name, metric string) (ratio, low, high, n float64) {
	for _, e := range doc.Effects {
		if e.Metric == metric && e.Mode == name {
			ratio, low, high, n = ratio+e.Ratio, low+e.Low, high+e.High, n+1
		}
	}
	return ratio / n, low / n, high / n, n
}
