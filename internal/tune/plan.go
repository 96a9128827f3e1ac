package tune

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/verdict"
)

// DefaultBudget is how long all of it may take, building aside.
const DefaultBudget = 5 * time.Minute

// Plan says what is tuned. Target, Dir and OutDir are required.
type Plan struct {
	Target  experiment.Target
	Dir     string        // of the target, absolute
	OutDir  string        // the comparison is kept here while it is measured; a second one in its folder "final"
	Budget  time.Duration // 0 is DefaultBudget, or that of servers
	RunTime time.Duration // of one timed run; 0 is chosen
	MaxRSS  float64       // peak RSS allowed, bytes; 0 is Limit, or half as much again as the baseline's and at least 64 MiB more
	Limit   float64       // of the container; 0 where there is none
	Prices  Prices
	Seed    uint64
	Handler result.Handler
	// NewDocument begins the document of an experiment, with Seed.
	NewDocument func() *result.Document
	// Before is a tuning that was cut short, to go on with; nil begins anew.
	Before *Document
	// Longer says that Budget was given anew: what Before ended for want of time
	// goes on, too.
	Longer bool
	// Save keeps what is known so far, so that an interruption loses no more
	// than what is under way.
	Save func(*Document) error
}

const (
	// diagnosing is the share of the budget for the diagnosis with its run
	// without collections; what it leaves over goes to the comparisons.
	diagnosing = 0.25
	// comparing is the share of the rest for all candidates. That need not
	// prove more than which are worth a second comparison, of few.
	comparing = 0.45
)

// Run tunes. With an error the document holds what was found until then, or is
// nil.
func Run(ctx context.Context, p Plan) (*Document, error) {
	if _, served := p.Target.(*experiment.Server); served {
		p.Budget = cmp.Or(p.Budget, experiment.DefaultServerBudget)
	}
	p.Budget = cmp.Or(p.Budget, DefaultBudget)
	began, most := time.Now(), part(p.Budget, diagnosing)
	doc, err := p.diagnose(ctx, most)
	rest := p.Budget - min(time.Since(began), most) // building is in it, but comes on top
	if err != nil {
		return doc, err
	}
	d := doc.Diagnosis
	e := evidenceOf(d)
	doc.MaxRSS, doc.MaxRSSWhy = p.allowed(e)
	if e.nothingToGain() {
		doc.Answer = sentences("There is little to gain here: allocating and collecting take "+shares(e.ceiling)+" of CPU", "Nothing was tried", e.control(), doc.Own)
		return doc, nil
	}
	all, err := p.candidates(ctx, e, doc)
	if err != nil {
		return doc, err
	}
	all, staged := p.affordable(all, p.Budget-most, doc) // the same when it goes on
	chosen := ""
	if len(all) > 0 {
		if chosen, err = p.try(ctx, doc, all, rest, staged); err != nil && doc.Modes == nil {
			doc.Answer = "It ended before a mode could be judged."
			return doc, err
		}
	}
	doc.conclude(p, all, chosen)
	return doc, err
}

func part(d time.Duration, share float64) time.Duration { return time.Duration(share * float64(d)) }

// try compares the candidates, then, if it is done in stages, the best of them,
// and returns the mode that is proven best; "" if none is. With an error the
// document holds what was found until then.
func (p Plan) try(ctx context.Context, doc *Document, all []candidate, rest time.Duration, staged bool) (chosen string, err error) {
	began, most := time.Now(), rest
	if staged {
		most = part(rest, comparing)
	}
	if doc.Modes, err = p.compare(ctx, all, p.OutDir, most); doc.Modes == nil {
		return "", err
	}
	doc.Tried = judge(doc.Modes, all, doc.MaxRSS)
	chosen = best(doc.Tried, all, "", adopted)
	last := finalists(doc.Tried, all)
	if len(last) == 0 || err != nil || !staged {
		return chosen, err
	}
	doc.Final, err = p.compare(ctx, last, filepath.Join(p.OutDir, "final"), rest-min(time.Since(began), most))
	if doc.Final == nil {
		return chosen, err
	}
	return doc.settle(judge(doc.Final, last, doc.MaxRSS), last, all), err
}

// settle takes over what the second comparison, of last, found and returns the
// mode that is proven best by now. What the first one, of all, proved stays so
// unless it was refuted.
func (d *Document) settle(again []Tried, last, all []candidate) string {
	d.update(again)
	if b := best(again, last, "", adopted); b != "" {
		return b
	}
	return best(d.Tried[:len(all)], all, "", adopted)
}

// update takes over what a second comparison found, but for what only the first
// one proved.
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
	}
}

// allowed is the peak RSS that a mode may have, and why so much.
func (p Plan) allowed(e evidence) (float64, string) {
	switch {
	case p.MaxRSS > 0:
		return p.MaxRSS, "given"
	case p.Limit > 0:
		return p.Limit, "the container's limit"
	case e.rss > 0:
		return max(1.5*e.rss, e.rss+64<<20), "half as much again as the baseline, at least 64 MiB more"
	}
	return 0, "unlimited: what the baseline takes is not known"
}

// candidates finds out what the target and the machine allow and returns the
// modes to try.
func (p Plan) candidates(ctx context.Context, e evidence, doc *Document) ([]candidate, error) {
	patterns := p.Target.Patterns()
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
		if o.newest, err = newest(ctx, machine, p.Dir); err != nil {
			doc.Notes = append(doc.Notes, "a newer Go was not tried: "+strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	}
	return candidates(e, o), nil
}

// compare measures candidates by compare's method. Where it was ended before
// anything could be judged, the document is nil.
func (p Plan) compare(ctx context.Context, all []candidate, dir string, budget time.Duration) (*result.Document, error) {
	names := []string{mode.Default}
	for _, c := range all {
		names = append(names, c.mode)
	}
	modes, err := mode.Parse(strings.Join(names, ","))
	if err != nil {
		return nil, err
	}
	doc, runs := p.begun(dir, names)
	if doc == nil {
		doc = p.NewDocument()
	} else if ended := doc.Stopped; ended != "" && ended != experiment.Interrupted && !(p.Longer && ended == experiment.OutOfTime) {
		return doc, nil
	}
	err = experiment.Run(ctx, experiment.Plan{
		Target: p.Target, Modes: modes, Dir: p.Dir, OutDir: dir, Handler: p.Handler,
		Budget: budget, RunTime: p.RunTime, Seed: doc.Seed, Open: open,
	}, doc, runs)
	if ended := errors.Join(err, ctx.Err()); ended != nil && len(doc.Effects) == 0 {
		return nil, ended
	}
	return doc, err
}
