package tune

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/verdict"
)

// affordable leaves out candidates that the budget has no time for, because an
// experiment that ends before its first analysis decides nothing about any of them.
// staged is true if there is time for a second comparison. Runs of benchmarks can be as
// short as the budget demands, so all their candidates are kept.
func (p Plan) affordable(all []candidate, rest time.Duration, doc *Document) (kept []candidate, staged bool) {
	facts := p.Target.Facts()
	run, parts := facts.Run, max(1, len(facts.Parts))
	if facts.FixedLength && run == 0 { // a command: its diagnosis has timed it
		run = time.Duration(doc.Diagnosis.RunTime * float64(time.Second))
	}
	if run == 0 || need(len(all), run, parts) <= part(rest, comparing) {
		return all, true
	}
	// The candidates that are easiest to adopt stay, as many as the budget allows.
	kept = byUrgency(all)
	n := len(kept)
	for n > 1 && need(n, run, parts) > rest {
		n--
	}
	if time.Duration(probing+arms)*run > rest { // not even one block of one mode
		n = 0
	}
	// The user learns what is missing, and the budget that would be enough.
	if n < len(kept) {
		var names []string
		for _, c := range kept[n:] {
			names = append(names, c.mode)
		}
		budget := func(candidates int) time.Duration {
			return (part(need(candidates, run, parts), 1/(1-diagnosing)) + time.Minute).Truncate(time.Minute)
		}
		doc.noTime = fmt.Sprintf("runs of %s leave no time to compare %s within the budget: give -budget %v",
			format.Duration(run.Round(time.Second)), strings.Join(names, ", "), budget(len(all)))
		if n == 0 {
			doc.noTime += fmt.Sprintf(", or %v for %s alone", budget(1), names[0])
		}
	}
	return kept[:n], false
}

// byUrgency puts the mode that is easiest to adopt first, and a second mode of the
// same kind last.
func byUrgency(all []candidate) []candidate {
	var first, second []candidate
	for _, f := range urgency(all) {
		for _, c := range all {
			switch {
			case c.family != f:
			case slices.ContainsFunc(first, func(k candidate) bool { return k.family == f }):
				second = append(second, c)
			default:
				first = append(first, c)
			}
		}
	}
	return append(first, second...)
}

// urgency returns the families, the easiest to adopt first. Upgrades of dependencies
// come after settings.
func urgency(all []candidate) []family {
	out := []family{pacing, collector, release, arenas}
	for _, f := range familiesOf(all) {
		if !slices.Contains(out, f) {
			out = slices.Insert(out, 1, f)
		}
	}
	return out
}

// The number of runs with one candidate: the untimed runs of it and of the baseline,
// and one block with the baseline and its control.
const (
	probing = 2
	arms    = 3
)

// need returns the time until the first analysis of the given number of candidates. An
// untimed run of every mode comes first, and then the blocks, each with the baseline
// and its control.
func need(candidates int, run time.Duration, parts int) time.Duration {
	analyses, _ := verdict.PlanAnalyses(candidates*parts, 0)
	return time.Duration(analyses[0]*(candidates+2)+candidates+1) * run
}
