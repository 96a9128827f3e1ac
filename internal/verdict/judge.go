package verdict

import (
	"fmt"
	"time"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/sample"
)

// Options say how runs are to be judged. Only Baseline is required.
type Options struct {
	Baseline string        // the mode that the others are compared with
	Blocks   int           // the most that are planned; 0 is DefaultBlocks
	Analyses []int         // planned before the first run; nil plans them for the questions found in the runs
	PerBlock time.Duration // how long a block takes, for forecasts; 0 is not known
}

// Judgement holds the conclusions from the runs so far.
type Judgement struct {
	Effects   []Effect  // sorted by metric, mode and benchmark
	Control   []Effect  // the A/A control, each by itself at the analysis's α
	Summaries []Summary // one per mode
	Blocks    int       // the blocks that were judged
	Alpha     float64   // spent at this analysis
	// Open is how many effects on the primary metric are inconclusive. An
	// experiment stops at an analysis that leaves none: the primary metric decides
	// a mode's verdict, and waiting until noisy wall time is decided too would
	// make almost every experiment last to its end.
	Open     int
	Warnings []string // about effects that could not be judged at all
}

// Judge estimates the effect of every candidate mode on every judged metric of
// every benchmark, and gives verdicts on effects and modes. Runs may come in
// any order; runs of one block are paired. The same runs always give the same
// judgement.
//
// A figure of +Inf in an Effect is a change from zero, or a bound that too few
// blocks could not give; JSON needs it replaced (result.Finite).
//
// It fails where the runs contradict themselves or hold no baseline, and
// where Analyses are not a plan. It may be called concurrently.
func Judge(runs []sample.Run, opt Options) (Judgement, error) {
	t, err := newTable(runs, opt.Baseline)
	if err != nil {
		return Judgement{}, err
	}
	analyses := opt.Analyses
	if analyses == nil {
		analyses, _ = PlanAnalyses(len(t.modes)*len(t.keys), opt.Blocks)
	}
	if err := checkAnalyses(analyses); err != nil {
		return Judgement{}, err
	}
	j := Judgement{Blocks: t.blocks, Alpha: alphaAt(t.blocks, analyses)}
	for _, metric := range t.metrics {
		// The control gives the noise floor that the effects must exceed.
		floors := j.control(t, opt.Baseline, metric)
		var family []*question
		for _, mode := range t.modes {
			for i, key := range t.keys {
				q := newQuestion(t, key, opt.Baseline, mode, metric, floors[i].delta)
				if q == nil {
					if t.reports(key, mode, metric) {
						j.Warnings = append(j.Warnings,
							fmt.Sprintf("%s of %v in mode %s has no block with a ratio to the baseline: not judged",
								metric, key, mode))
					}
					continue
				}
				q.Warnings = append(q.Warnings, floors[i].warnings...)
				family = append(family, q)
			}
		}
		// All questions on a metric share the risk of a false claim, so they are decided
		// together.
		decide(family, j.Alpha)
		for _, q := range family {
			if q.Verdict == Inconclusive {
				q.MoreBlocks = q.moreBlocks(t.blocks, analyses)
				if metric == sample.Primary {
					j.Open++
				}
			}
			j.Effects = append(j.Effects, q.Effect)
		}
	}
	for _, mode := range t.modes {
		j.Summaries = append(j.Summaries, summarise(t, opt.Baseline, mode, j.Effects, opt.PerBlock))
	}
	return j, nil
}

// floor is the noise floor of a metric of a benchmark.
type floor struct {
	delta    float64 // a log-ratio
	warnings []string
}

// control takes the noise floors of one metric from the A/A control, in the
// order of the benchmarks, and adds the control's effects to the judgement.
func (j *Judgement) control(t *table, baseline, metric string) []floor {
	floors := make([]floor, len(t.keys))
	for i, key := range t.keys {
		d := t.pair(key, baseline, baseline+sample.ControlSuffix, metric).d
		floors[i].delta = noiseFloor(d)
		q := newQuestion(t, key, baseline, baseline+sample.ControlSuffix, metric, floors[i].delta)
		if q == nil {
			floors[i].warnings = []string{"there is no A/A control to learn the noise from: δ is its minimum, " +
				format.Share(leastDelta)}
			continue
		}
		decide([]*question{q}, j.Alpha)
		j.Control = append(j.Control, q.Effect)
	}
	return floors
}
