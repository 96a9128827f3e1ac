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
	mostTimes = 20
	// tolerated is the change of CPU time by the instrumentation alone that needs no note.
	tolerated = 0.05
)

// Run measures the prices of the sites, in their order. The notes are doubts.
func Run(ctx context.Context, p Plan) (prices []rules.Price, notes []string, err error) {
	a := amplify(p.Source, p.Sites)
	prices = make([]rules.Price, len(p.Sites))
	for i, why := range a.why {
		prices[i].Why = why
	}
	if a.patch == "" {
		return prices, nil, nil
	}
	err = result.ReplaceAll(p.OutDir, map[string]func(io.Writer) error{
		"amplify.diff": func(w io.Writer) error { _, err := io.WriteString(w, a.patch); return err },
	})
	if err != nil {
		return nil, nil, err
	}
	patched := mode.PatchSetting(filepath.Join(p.OutDir, "amplify.diff"))
	names, of := []string{patched}, map[string]int{}
	for i := range prices {
		if prices[i].Why == "" {
			prices[i].Times = times(p.Expected[i])
			name := fmt.Sprintf("%s+%s=%d:%d", patched, variable, i, prices[i].Times)
			of[name] = i
			names = append(names, name)
		}
	}
	modes, err := mode.Parse(strings.Join(append(names, mode.Default), ","))
	if err != nil {
		return nil, nil, err
	}
	doc := experiment.NewDocument()
	plan := experiment.Plan{
		Target: p.Target, Modes: modes, Dir: p.Dir, OutDir: p.OutDir, Budget: max(p.Budget, 1), Blocks: blocks,
		Among: slices.Clone(p.Among), Select: true, Handler: p.Handler, Open: func([]verdict.Effect) int { return 1 },
	}
	if err := experiment.Run(ctx, plan, doc, nil); err != nil && len(doc.Effects) == 0 {
		return nil, nil, err
	}
	for name, i := range of {
		read(&prices[i], doc, name)
	}
	if ratio, _, _, n := mean(doc, mode.Default); n > 0 && math.Abs(1/ratio-1) > tolerated {
		notes = append(notes, fmt.Sprintf("being able to amplify changes CPU time by %+.0f%% on its own: "+
			"the prices are the changed program's", 100*(1/ratio-1)))
	}
	return prices, notes, ctx.Err()
}

// times returns how often a site is to be executed again.
func times(expected evidence.Range) int {
	middle := max(expected.Middle(), visible/mostTimes)
	return int(max(1, math.Round(visible/middle)))
}

// read takes a price from the ratio of CPU time with and without the extra executions.
func read(p *rules.Price, doc *result.Document, name string) {
	for _, m := range doc.Modes {
		if m.Name == name && m.Failed != "" {
			p.Why = m.Failed
			return
		}
	}
	ratio, low, high, n := mean(doc, name)
	if n == 0 || math.IsInf(high, 0) || low == 0 {
		p.Why = "too few pairs of runs for an interval; give a larger -budget"
		return
	}
	k := float64(p.Times)
	p.CPU, p.Low, p.High, p.Blocks = (ratio-1)/k, (low-1)/k, (high-1)/k, doc.Blocks
}

// mean returns the mean ratio of CPU time over the benchmarks, with its interval: the
// mean of theirs, which is rather too wide.
func mean(doc *result.Document, name string) (ratio, low, high, n float64) {
	for _, e := range doc.Effects {
		if e.Metric == sample.Primary && e.Mode == name {
			ratio, low, high, n = ratio+e.Ratio, low+e.Low, high+e.High, n+1
		}
	}
	return ratio / n, low / n, high / n, n
}
