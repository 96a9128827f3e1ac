package tune

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/verdict"
)

// affordable leaves out candidates that there is no time for: an experiment that
// ends before its first analysis decides nothing about any of them. staged says that
// there is time for a second comparison, too. A target that does not know the
// duration of its runs is mostly short, and everything is tried.
func (p Plan) affordable(all []candidate, rest time.Duration, doc *Document) (kept []candidate, staged bool) {
	facts := p.Target.Facts()
	run, parts := facts.Run, max(1, len(facts.Parts))
	if run == 0 || need(len(all), run, parts) <= part(rest, comparing) {
		return all, true
	}
	kept = byUrgency(all)
	n := len(kept)
	for n > 1 && need(n, run, parts) > rest {
		n--
	}
	if n < len(kept) {
		var names []string
		for _, c := range kept[n:] {
			names = append(names, c.mode)
		}
		doc.Notes = append(doc.Notes, fmt.Sprintf("there was no time to try %s: with runs of %s that takes a -budget of about %v",
			strings.Join(names, ", "), format.Duration(run.Round(time.Second)), (part(need(len(all), run, parts), 1/(1-diagnosing))+time.Minute).Truncate(time.Minute)))
	}
	return kept[:n], false
}

// byUrgency puts the mode that is easiest to adopt first, and a second mode of the
// same kind last.
func byUrgency(all []candidate) []candidate {
	var first, second []candidate
	for _, f := range []family{pacing, collector, release, arenas} {
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

// need is the duration up to the first analysis of so many candidates.
func need(candidates int, run time.Duration, parts int) time.Duration {
	analyses, _ := verdict.PlanAnalyses(candidates*parts, 0)
	return time.Duration(analyses[0]*(candidates+2)) * run // the baseline and its control
}
