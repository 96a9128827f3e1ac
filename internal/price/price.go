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
	"github.com/heapwright/heapwright/internal/stats"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Plan is the order for pricing. All fields but Among, Later and Handler are required.
type Plan struct {
	Target   target.Target
	Dir      string // the target's folder, absolute
	Source   *source.Index
	Sites    []Site
	Expected []evidence.Range // each site's estimate
	OutDir   string           // the experiment is kept here
	Budget   time.Duration
	Among    []sample.Key // benchmarks, if they are known
	// Later returns the share of CPU time that the runtime takes, by the samples, to copy and to
	// operate maps at lines of a site's file.
	Later   func(site int, lines []int) float64
	Handler result.Handler
}

const (
	// blocks give each of ten sites an interval.
	blocks = 12
	// visible is the change of CPU time that an amplification aims at: above the noise, by as few
	// executions as can be. The second one in a row costs less than the first, whose code and
	// data are in the caches by then.
	visible = 0.15
	// mostTimes bounds the extra executions of an expression.
	mostTimes = 64
	// mostMemory bounds the extra allocations at each execution of a line, which may make many.
	mostMemory = 4096
	// tolerated is the change of CPU time by the instrumentation alone that needs no note.
	tolerated = 0.05
	// others are the modes beside the loops: the program that can be amplified, twice, and the
	// original.
	others = 3
	// trial is the part of the budget for one block of the first numbers of executions.
	trial = 0.2
)

// loop is a loop of an amplified site in the experiment, or the program with a site's patch.
type loop struct {
	number  int
	times   float64
	memory  bool
	patched string // mode of the patch
	price   *rules.Price
	site    Site
}

// Run measures the prices of the sites, in their order. The notes are doubts.
func Run(ctx context.Context, p Plan) (prices []rules.Price, notes []string, err error) {
	a := amplify(p.Source, p.Sites)
	prices = make([]rules.Price, len(p.Sites))
	files := map[string]func(io.Writer) error{}
	add := func(name, text string) (file string) {
		files[name] = func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
		return filepath.Join(p.OutDir, name)
	}
	base := mode.Default
	if a.patch != "" {
		base = mode.PatchSetting(add("amplify.diff", a.patch))
	}
	var loops []*loop
	for i, s := range a.sites {
		price, site := &prices[i], p.Sites[i]
		if price.Why = s.why; p.Later != nil {
			price.Later = p.Later(i, s.later)
		}
		if site.Patch != "" {
			price.Patch = &rules.Price{}
			file := add(fmt.Sprintf("patch%d.diff", i), site.Patch)
			loops = append(loops, &loop{patched: mode.PatchSetting(file), price: price.Patch})
		}
		if s.why == "" {
			loops = append(loops, &loop{number: 2 * i, price: price, times: times(p.Expected[i])})
		}
		if s.memory {
			price.Memory = &rules.Price{}
			loops = append(loops, &loop{
				number: 2*i + 1, price: price.Memory, times: times(p.Expected[i]), memory: true, site: site,
			})
		}
	}
	if len(loops) == 0 {
		return prices, nil, nil
	}
	if err := result.ReplaceAll(p.OutDir, files); err != nil {
		return nil, nil, err
	}

	// A block on trial shows how much the first numbers of executions change. Most are near
	// the aim, but no profile says how often a statement is executed for each object.
	first := p
	first.Budget = time.Duration(float64(max(p.Budget, 1)) * trial)
	doc, err := first.measure(ctx, base, loops, 1)
	if err != nil {
		return nil, nil, err
	}
	// Every run executes as many iterations, so one on trial that does too much takes long.
	tried, chosen := float64(others), float64(others)
	for _, l := range loops {
		before, after := l.adjust(doc, base)
		tried, chosen = tried+before, chosen+after
	}
	p.Budget -= first.Budget
	loops = affordable(loops, p.Budget.Seconds(), doc.PerBlock*chosen/tried)
	if doc, err = p.measure(ctx, base, loops, blocks); err != nil {
		return nil, nil, err
	}
	for _, l := range loops {
		l.read(doc, base)
	}
	for i := range prices {
		if p := &prices[i]; p.Memory != nil {
			p.Noise = max(p.Noise, p.Memory.Noise)
		}
	}
	own, ok := ratioOf(doc, base, mode.Default, sample.Primary)
	if ok && math.Abs(own.middle-1) > tolerated {
		notes = append(notes, fmt.Sprintf("being able to amplify changes CPU time by %+.0f%% on its own: "+
			"the prices are the changed program's", 100*(own.middle-1)))
	}
	return prices, notes, ctx.Err()
}

const tooFew = "too few pairs of runs for an interval; give a larger -budget"

// affordable returns the first loops for which the budget has enough blocks. The prices of a few
// lines are better than none of many.
func affordable(loops []*loop, budget, perBlock float64) []*loop {
	if perBlock <= 0 {
		return loops
	}
	modes := float64(len(loops) + others)
	fit := int(modes*budget/perBlock/float64(stats.MinPairs(level))) - others
	fit = min(max(fit, 1), len(loops))
	for _, l := range loops[fit:] {
		l.price.Why = tooFew
	}
	return loops[:fit]
}

// measure compares the loops with the base, the changed program without extra executions.
func (p Plan) measure(ctx context.Context, base string, loops []*loop, blocks int) (*result.Document, error) {
	names := []string{base}
	for _, l := range loops {
		names = append(names, l.mode(base))
	}
	if base != mode.Default {
		names = append(names, mode.Default)
	}
	modes, err := mode.Parse(strings.Join(names, ","))
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

func (l *loop) mode(base string) string {
	if l.patched != "" {
		return l.patched
	}
	return fmt.Sprintf("%s+%s=%d:%.3g", base, variable, l.number, l.times)
}

// times returns how often a site is to be executed again.
func times(expected evidence.Range) float64 {
	middle := max(expected.Middle(), visible/mostTimes)
	return max(1, math.Round(visible/middle))
}

// adjust chooses the number of executions anew, if the first changes too much or too little. It
// returns the ratio of CPU time to the base before and after.
func (l *loop) adjust(doc *result.Document, base string) (before, after float64) {
	r, ok := ratioOf(doc, l.mode(base), base, sample.Primary)
	if !ok || l.patched != "" {
		return 1, 1
	}
	first := l.times
	more := max(r.middle-1, visible/8)
	bytes, reported := ratioOf(doc, l.mode(base), base, "B/op")
	switch {
	case l.memory && reported && bytes.middle > 1:
		// As many bytes as the line allocates, or more if its price is too small to be seen.
		added := (bytes.middle - 1) / l.site.Share
		l.times = min(l.times/added*max(1, visible/(more/added)), mostMemory)
	case more < visible/2 || more > 2*visible:
		l.times = min(max(1, math.Round(l.times*visible/more)), mostTimes)
	}
	return r.middle, 1 + (r.middle-1)*l.times/first
}

// read takes a price from the ratio of CPU time with and without the extra executions, or with
// and without the patch.
func (l *loop) read(doc *result.Document, base string) {
	name, baseline := l.mode(base), base
	if l.patched != "" {
		baseline = mode.Default
	}
	for _, m := range doc.Modes {
		if m.Name == name && m.Failed != "" {
			l.price.Why = m.Failed
			return
		}
	}
	r, ok := ratioOf(doc, name, baseline, sample.Primary)
	if !ok || !r.bounded() {
		l.price.Why = tooFew
		return
	}
	bytes, reported := ratioOf(doc, name, baseline, "B/op")
	price := l.price
	price.Blocks, price.Noise = doc.Blocks, (r.high-r.low)/2/r.middle
	if l.patched != "" {
		// The saving will be measured again, with an error of its own that is as large.
		low, high := r.middle*math.Pow(r.low/r.middle, math.Sqrt2), r.middle*math.Pow(r.high/r.middle, math.Sqrt2)
		price.CPU, price.Low, price.High = 1-r.middle, 1-high, 1-low
		if reported {
			price.Bytes = 1 - bytes.middle
		}
		return
	}
	per := 1 / l.times
	if l.memory {
		if !reported || bytes.middle <= 1 {
			price.Why = "the target does not report the bytes that it allocates"
			return
		}
		per = l.site.Share / (bytes.middle - 1)
	}
	price.CPU, price.Low, price.High = (r.middle-1)*per, (r.low-1)*per, (r.high-1)*per
	price.Times = l.times
	if price.Low > 1 { // the program does something else with so much more memory
		price.Why = "the extra executions cost more than the program"
	}
}
