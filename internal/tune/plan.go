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

// DefaultBudget is the default time for a tuning, not counting builds.
const DefaultBudget = 5 * time.Minute

// Plan describes a tuning. Target, Dir and OutDir are required.
type Plan struct {
	Target target.Target
	Dir    string // the absolute folder of the target
	// OutDir is the folder in which the first comparison is kept while it is measured. A
	// second one is kept in its folder "final".
	OutDir  string
	Budget  time.Duration // 0 is the target's, or DefaultBudget
	RunTime time.Duration // duration of one timed run; 0 chooses it
	// Modules are patterns of dependencies that are diagnosed like the program's own
	// code, and Production are profiles of the target's production, as in diagnose.Plan.
	Modules    string
	Production []string
	// MaxRSS is the allowed peak RSS in bytes. 0 is the container's limit, or 1.5 times
	// the baseline's peak, and at least 64 MiB more than that.
	MaxRSS  float64
	Prices  Prices
	Seed    uint64
	Handler result.Handler
	// NewDocument returns the document of a new experiment, with Seed.
	NewDocument func() *result.Document
	// Before is an interrupted tuning to continue. With nil, a new one begins.
	Before *Document
	// Longer is set if the user gave a budget for the continuation. Then the stages of
	// Before that ended because of their budget continue, too.
	Longer bool
	// Trace records a timeline of the collector in each mode of the first comparison.
	Trace bool
	// Save stores the document after each stage, so that an interruption loses only the
	// stage that is running.
	Save func(*Document) error

	limit float64      // memory of the container, bytes; 0 if there is no container
	among []sample.Key // the benchmarks, beginning with the profiled ones; nil if they are not known
}

// withDefaults returns the plan with defaults in its empty fields.
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

// The diagnosis, which includes runs without collections, takes this share of the
// budget, and the comparisons take the rest. Listing the benchmarks takes the same time
// for every budget, so the diagnosis gets a larger share of a small one.
const (
	diagnosing      = 0.25
	leastDiagnosing = 20 * time.Second
)

// forDiagnosis returns the part of a budget that the diagnosis gets.
func forDiagnosis(budget time.Duration) time.Duration {
	return max(part(budget, diagnosing), min(leastDiagnosing, budget/2))
}

const (
	// pricedBudget is the budget from which on tune also measures the prices of the first
	// findings, and pricingPart is the part of it for that.
	pricedBudget = 10 * time.Minute
	pricingPart  = 0.15
)

// pricing returns the time for measuring prices, or 0.
func (p Plan) pricing() time.Duration {
	if p.Budget < pricedBudget {
		return 0
	}
	return time.Duration(pricingPart * float64(p.Budget))
}

// Run tunes a target. In case of an error, the document holds the results so far, or is
// nil.
func Run(ctx context.Context, p Plan) (*Document, error) {
	p = p.withDefaults()
	doc, err := p.tune(ctx)
	if errors.Is(err, experiment.ErrInterrupted) && doc != nil {
		doc.Notes = append(doc.Notes, "interrupted: these are the results so far")
	}
	return doc, err
}

func (p Plan) tune(ctx context.Context) (doc *Document, err error) {
	// The diagnosis comes first, because it bounds what modes can gain. If that is too
	// little, nothing needs to be measured.
	most := forDiagnosis(p.Budget)
	c := &clock{budget: p.Budget, next: p.Handler}
	err = c.stage(func() error {
		doc, err = p.diagnose(ctx, most, c)
		return err
	})
	c.spent = min(c.spent, most+p.pricing()) // reading the source builds packages
	if err != nil {
		return doc, err
	}
	d := doc.Diagnosis
	e := prospectOf(d)
	p.among = slices.Concat(d.Recorded, d.LeftOut)
	doc.MaxRSS, doc.MaxRSSWhy = p.allowed(e)
	doc.Library = p.library(ctx)
	// A newer version of a dependency may save CPU time that is not memory's.
	if e.nothingToGain() && len(upgradesOf(d)) == 0 {
		doc.Answer = sentences("There is little to gain here: allocating and collecting take "+saving(e.ceiling)+" of CPU", "Nothing was tried", e.agrees(), doc.Own)
		return doc, nil
	}
	// A tuning that is continued must choose the same candidates, so they depend on the
	// whole budget, and not on the time that is left.
	all, err := p.candidates(ctx, e, doc)
	if err != nil {
		return doc, err
	}
	all, staged := p.affordable(all, p.Budget-most, doc)
	if len(all) > 0 && doc.noTime != "" {
		doc.Notes = append(doc.Notes, doc.noTime)
	}
	chosen := ""
	if len(all) > 0 {
		if chosen, err = p.try(ctx, doc, all, c, staged && len(all) > 1 && !p.longerFirst()); err != nil && doc.Modes == nil {
			doc.Answer = "The run ended before a mode could be judged."
			return doc, err
		}
	}
	// A faster version of a dependency is of no use if the tests fail with it.
	chosen = p.prove(ctx, doc, chosen)
	doc.conclude(p, all, chosen)
	doc.shareAnswer(p)
	return doc, err
}

// part returns a share of a duration.
func part(d time.Duration, share float64) time.Duration { return time.Duration(share * float64(d)) }

// settle adopts the decisions again of a later comparison, which had the candidates in
// last, and returns the mode that is now proven best. A mode that the first comparison
// proved stays proven unless a later one refuted it.
func (d *Document) settle(again []Tried, last, all []candidate) string {
	d.update(again)
	if b := best(again, last, "", adopted); b != "" {
		return b
	}
	return best(d.Tried[:len(all)], all, "", adopted)
}

// update adopts the decisions of a later comparison. An undecided result does not
// replace an earlier proof.
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

// allowed returns the peak RSS that a mode may have, and the reason for that bound.
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

// aboveBaseline is the reason for a bound that follows from the baseline.
const aboveBaseline = "1.5 × the baseline, at least 64 MiB more"

// above returns the allowed peak RSS for the baseline's.
func above(baseline float64) float64 { return max(1.5*baseline, baseline+64<<20) }

// allowBaseline raises a bound that follows from the baseline, if a benchmark that was
// not profiled takes more memory than the profiled ones.
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

// candidates returns the modes that the target and the machine allow.
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
