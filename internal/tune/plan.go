package tune

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/machine"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/verdict"
)

// DefaultBudget is how long all of it may take, building aside.
const DefaultBudget = 5 * time.Minute

// Plan is the order for a tuning. Target, Dir and OutDir are required.
type Plan struct {
	Target     target.Target
	Dir        string        // the absolute folder of the target
	OutDir     string        // the comparison is kept here while it is measured; a second one in its folder "final"
	Budget     time.Duration // 0 is the target's, or DefaultBudget
	RunTime    time.Duration // of one timed run; 0 is chosen
	Modules    string        // patterns of dependencies to diagnose as the program's own, as in diagnose.Plan
	Production []string      // profiles of the target's production, as in diagnose.Plan
	MaxRSS     float64       // peak RSS allowed, bytes; 0 is the container's limit, or 1.5 × the baseline's and at least 64 MiB more
	Prices     Prices
	Seed       uint64
	Handler    result.Handler
	// NewDocument begins the document of an experiment, with Seed.
	NewDocument func() *result.Document
	// Before is a tuning that was cut short, to continue with; nil begins from the start.
	Before *Document
	// Longer says that Budget was given again: stages that Before ended for want of
	// time continue, too.
	Longer bool
	// Trace takes a timeline of the collector in each mode of the first comparison.
	Trace bool
	// Save keeps the document so far, so that an interruption loses no more than
	// the stage under way.
	Save func(*Document) error

	limit float64      // memory of the container, bytes; 0 where there is none
	among []sample.Key // the benchmarks, those that were profiled first; nil where they are not known
}

// withDefaults fills in the fields that the plan leaves empty.
func (p Plan) withDefaults() Plan {
	p.Budget = cmp.Or(p.Budget, p.Target.Facts().Budget, DefaultBudget)
	if limit, ok := machine.ContainerLimit(); ok {
		p.limit = float64(limit)
	}
	return p
}

// Check returns an error for a plan that cannot be carried out.
func (p Plan) Check() error {
	for _, v := range []float64{p.Prices.CPU, p.Prices.GiB, p.Prices.Instances} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return errors.New("a price and a number of instances are finite and cannot be negative")
		}
	}
	switch priced := p.Prices.CPU != 0 || p.Prices.GiB != 0; {
	case p.Prices.Instances == 0 && priced && (p.Prices.CPU == 0 || p.Prices.GiB == 0):
		return errors.New("one price alone is not enough: give both, to weigh memory against CPU, or the number of -instances as well")
	case !priced && p.Prices.Instances != 0:
		return errors.New("-instances needs a price; give -core-hour, -gib-hour or both")
	}
	return nil
}

// The diagnosis with its run without collections takes a share of the budget; the
// rest of it goes to the comparisons. Finding the benchmarks takes as long whatever
// the budget, and so the share of a small one is larger.
const (
	diagnosing      = 0.25
	leastDiagnosing = 20 * time.Second
)

// forDiagnosis is the part of a budget for the diagnosis.
func forDiagnosis(budget time.Duration) time.Duration {
	return max(part(budget, diagnosing), min(leastDiagnosing, budget/2))
}

// Run tunes. With an error the document holds all findings until then, or is nil.
func Run(ctx context.Context, p Plan) (*Document, error) {
	p = p.withDefaults()
	doc, err := p.tune(ctx)
	if errors.Is(err, experiment.ErrInterrupted) && doc != nil {
		doc.Notes = append(doc.Notes, "interrupted: this is the state until then")
	}
	return doc, err
}

func (p Plan) tune(ctx context.Context) (doc *Document, err error) {
	most := forDiagnosis(p.Budget)
	c := &clock{budget: p.Budget, next: p.Handler}
	err = c.stage(func() error {
		doc, err = p.diagnose(ctx, most, c)
		return err
	})
	c.spent = min(c.spent, most) // reading the source builds packages
	if err != nil {
		return doc, err
	}
	d := doc.Diagnosis
	e := prospectOf(d)
	p.among = slices.Concat(d.Recorded, d.LeftOut)
	doc.MaxRSS, doc.MaxRSSWhy = p.allowed(e)
	doc.Library = p.library(ctx)
	if e.nothingToGain() {
		doc.Answer = sentences("There is little to gain here: allocating and collecting take "+saving(e.ceiling)+" of CPU", "Nothing was tried", e.agrees(), doc.Own)
		return doc, nil
	}
	all, err := p.candidates(ctx, e, doc)
	if err != nil {
		return doc, err
	}
	all, staged := p.affordable(all, p.Budget-most, doc) // the same when it continues
	if len(all) > 0 && doc.noTime != "" {
		doc.Notes = append(doc.Notes, doc.noTime)
	}
	chosen := ""
	if len(all) > 0 {
		if chosen, err = p.try(ctx, doc, all, c, staged && len(all) > 1 && !p.longerFirst()); err != nil && doc.Modes == nil {
			doc.Answer = "It ended before a mode could be judged."
			return doc, err
		}
	}
	chosen = p.prove(ctx, doc, chosen)
	doc.conclude(p, all, chosen)
	doc.tell(p)
	return doc, err
}

func part(d time.Duration, share float64) time.Duration { return time.Duration(share * float64(d)) }

// settle takes over the decisions of the second comparison, of last, and returns the
// mode that is proven best by now. A proof of the first one, of all, stays unless it
// was refuted.
func (d *Document) settle(again []Tried, last, all []candidate) string {
	d.update(again)
	if b := best(again, last, "", adopted); b != "" {
		return b
	}
	return best(d.Tried[:len(all)], all, "", adopted)
}

// update takes over the decisions of a second comparison, but for modes that only the
// first one proved.
func (d *Document) update(again []Tried) {
	for _, t := range again {
		i := slices.IndexFunc(d.Tried, func(was Tried) bool { return was.Mode == t.Mode })
		switch {
		case i < 0:
			d.Tried = append(d.Tried, t)
		case t.Decision != verdict.Undecided || !adopted(d.Tried[i]):
			t.Why = d.Tried[i].Why
			d.Tried[i] = t
		}
		if i >= 0 {
			d.Tried[i].again = true
		}
	}
}

// allowed is the peak RSS that a mode may have, and why so much.
func (p Plan) allowed(e prospect) (float64, string) {
	switch {
	case p.MaxRSS > 0:
		return p.MaxRSS, "given"
	case p.limit > 0:
		return p.limit, "the container's limit"
	case e.rss > 0:
		return above(e.rss), aboveBaseline
	}
	return 0, "unlimited: the baseline's memory is not known"
}

// aboveBaseline says why so much peak RSS is allowed.
const aboveBaseline = "1.5 × the baseline, at least 64 MiB more"

// above is the peak RSS allowed where the baseline takes so much.
func above(baseline float64) float64 { return max(1.5*baseline, baseline+64<<20) }

// allowBaseline raises a limit above the baseline's where a benchmark that was not
// profiled takes more.
func (d *Document) allowBaseline() {
	if d.MaxRSSWhy != aboveBaseline {
		return
	}
	for _, e := range d.Modes.Effects {
		if e.Metric == rss {
			d.MaxRSS = max(d.MaxRSS, above(e.Baseline))
		}
	}
}

// candidates returns the modes to try: those that the target and the machine allow.
func (p Plan) candidates(ctx context.Context, e prospect, doc *Document) ([]candidate, error) {
	patterns := p.Target.Facts().Packages
	o := options{builds: len(patterns) > 0, memory: doc.MaxRSS}
	machine := mode.NewMachine(p.Dir)
	matrix, err := mode.DefaultMatrix(ctx, machine, patterns)
	if err != nil {
		return nil, err
	}
	for _, m := range matrix {
		switch m.Name {
		case "greenteagc", "nogreenteagc":
			o.other = m.Name
		case "arenas":
			o.arenas = true
		}
	}
	if o.builds {
		if o.newest, err = newest(ctx, machine); err != nil {
			doc.Notes = append(doc.Notes, "a newer Go was not tried: "+strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	}
	all := candidates(e, o)
	if o.builds {
		all = append(all, p.upgrades(ctx, machine, doc)...)
	}
	return all, nil
}

// modesFor returns the modes of a comparison, the baseline first, with their names.
func modesFor(all []candidate) (names []string, modes []mode.Mode, err error) {
	names = []string{mode.Default}
	for _, c := range all {
		names = append(names, c.mode)
	}
	modes, err = mode.Parse(strings.Join(names, ","))
	return names, modes, err
}
