package tune

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// comparing is the share of the time after the diagnosis that the first comparison, of
// all candidates, gets. It only has to show which of them are worth another comparison.
const comparing = 0.45

// try compares all candidates, and then the best ones again and again, until a mode is
// proven better, or none can be, or the budget is spent. It returns the mode that is
// proven best, or "". If staged is set, the first comparison leaves time for others. In
// case of an error, the document holds the results so far.
func (p Plan) try(ctx context.Context, doc *Document, all []candidate, c *clock, staged bool) (chosen string, err error) {
	// The first comparison finds the candidates that are worth more runs.
	most := c.left()
	if staged {
		most = part(most, comparing)
	}
	first := stage{dir: p.OutDir, candidates: all, budget: most, fill: !staged}
	if doc.Modes, err = p.compare(ctx, c, first); doc.Modes == nil {
		return "", err
	}
	doc.allowBaseline()
	doc.Tried = judge(doc.Modes, all, doc.MaxRSS, p.Prices)
	chosen = best(doc.Tried, all, "", adopted)

	// Few modes get many runs each, so later comparisons can prove smaller effects. A
	// proven mode is compared again only with refinements of it.
	for round := 1; err == nil; round++ {
		last := doc.fitting(finalists(doc.Tried, all), c.left())
		if len(last) == 0 || chosen != "" && len(last) == 1 {
			break
		}
		var final *result.Document
		final, err = p.compare(ctx, c, stage{round: round, dir: Folder(p.OutDir, round), candidates: last, budget: c.left(), fill: true, after: doc.Modes})
		if final == nil {
			return chosen, err
		}
		if doc.Final != nil {
			doc.Between = append(doc.Between, doc.Final)
		}
		doc.Final = final
		if chosen = doc.settle(judge(final, last, doc.MaxRSS, p.Prices), last, all); chosen != "" {
			return chosen, err
		}
	}

	// Time that no later comparison could use goes to the first one.
	if err == nil && chosen == "" && doc.mayGoOn(c.left()) {
		first.budget, first.continued = c.left(), doc.Modes
		_, err = p.compare(ctx, c, first)
		for i, t := range judge(doc.Modes, all, doc.MaxRSS, p.Prices) {
			if !doc.Tried[i].again {
				doc.Tried[i] = t
			}
		}
		chosen = best(doc.Tried[:len(all)], all, "", adopted)
	}
	return chosen, err
}

// Folder returns the folder of a comparison of the tuning in dir. The first comparison is
// round 0.
func Folder(dir string, round int) string {
	switch round {
	case 0:
		return dir
	case 1:
		return filepath.Join(dir, "final")
	}
	return filepath.Join(dir, fmt.Sprintf("final-%d", round))
}

// perRun returns the time that one mode's runs of a block take in an experiment.
func perRun(doc *result.Document) time.Duration {
	arms := 1 // the control
	for _, m := range doc.Modes {
		if m.Failed == "" {
			arms++
		}
	}
	return time.Duration(doc.PerBlock * float64(time.Second) / float64(arms))
}

// fitting returns as many candidates as can be analysed once in the time left. It
// assumes runs as long as in the first comparison.
func (d *Document) fitting(all []candidate, left time.Duration) []candidate {
	n := len(all)
	for ; n > 0; n-- {
		analyses, _ := verdict.PlanAnalyses(n*len(d.Modes.Benchmarks), 0)
		if time.Duration(analyses[0]*(n+2)+n+1)*perRun(d.Modes) <= left { // includes the untimed runs
			break
		}
	}
	return all[:n]
}

// mayGoOn reports whether the first comparison can use the time left. It must have ended
// before its first real analysis. Otherwise an additional one would raise the probability
// of a wrong claim.
func (d *Document) mayGoOn(left time.Duration) bool {
	m := d.Modes
	undecided := slices.ContainsFunc(d.Tried, func(t Tried) bool { return t.Decision == verdict.Undecided })
	candidates := max(0, len(m.Modes)-1)
	return undecided && m.Stopped == experiment.OutOfTime && !verdict.CanDecide(candidates*len(m.Benchmarks), m.Blocks, m.Analyses) &&
		left > time.Duration(2*candidates+3)*perRun(m)
}

// A stage is one comparison of a tuning.
type stage struct {
	round      int // 0 is the first
	dir        string
	candidates []candidate
	budget     time.Duration
	// fill spends the whole budget on questions that are still open, because no other
	// comparison needs the time.
	fill bool
	// after is the first comparison, whose benchmarks and iterations a later one uses.
	after *result.Document
	// continued is a comparison of this tuning that gets more runs.
	continued *result.Document
}

// compare measures the candidates of a stage, as the command compare does. The document
// is nil if the comparison ended before anything could be judged.
func (p Plan) compare(ctx context.Context, c *clock, s stage) (*result.Document, error) {
	names, modes, err := modesFor(s.candidates)
	if err != nil {
		return nil, err
	}
	// A continued tuning (-resume) uses what it has measured before.
	doc, runs := s.continued, []sample.Run(nil)
	if doc != nil {
		runs = doc.Runs
	} else if p.Before != nil {
		if doc, runs = experiment.ResumePart(s.dir, names, p.Before.Made); doc != nil && !p.continues(doc, s.round) {
			return doc, nil
		}
	}
	plan := experiment.Plan{
		Target: p.Target, Modes: modes, Dir: p.Dir, OutDir: s.dir, Handler: c,
		Budget: max(s.budget, 1), RunTime: p.RunTime, Open: open, Fill: s.fill, Trace: p.Trace && s.round == 0,
	}
	if doc == nil {
		doc = p.NewDocument()
		if s.after != nil {
			doc.Benchmarks = slices.Clone(s.after.Benchmarks)
		}
	}
	plan.Seed, plan.Among, plan.Select = doc.Seed, p.among, doc.Benchmarks == nil
	if doc.Benchmarks != nil && p.Target.Facts().Parts == nil {
		plan.Among = nil
		for _, b := range doc.Benchmarks {
			plan.Among = append(plan.Among, b.Key)
		}
	}
	doc.Tuning = nil // the answer of an earlier tuning
	err = c.stage(func() error { return experiment.Run(ctx, plan, doc, runs) })
	if ended := errors.Join(err, ctx.Err()); ended != nil && len(doc.Effects) == 0 {
		return nil, ended
	}
	return doc, err
}
