package tune

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/verdict"
)

// affordable leaves out candidates that there is no time for: an experiment that
// ends before its first look decides nothing about any of them. staged says that
// there is time for a second comparison, too. Of what ends by itself it is not
// known before how long it takes; it is mostly short.
func (p Plan) affordable(all []candidate, rest time.Duration, doc *Document) (kept []candidate, staged bool) {
	run, phases := p.run()
	if run == 0 || need(len(all), run, phases) <= part(rest, comparing) {
		return all, true
	}
	kept = byUrgency(all)
	n := len(kept)
	for n > 1 && need(n, run, phases) > rest {
		n--
	}
	if n < len(kept) {
		var names []string
		for _, c := range kept[n:] {
			names = append(names, c.mode)
		}
		doc.Notes = append(doc.Notes, fmt.Sprintf("there was no time to try %s: with runs of %v that takes a -budget of about %v",
			strings.Join(names, ", "), run.Round(time.Second), (part(need(len(all), run, phases), 1/(1-diagnosing))+time.Minute).Truncate(time.Minute)))
	}
	return kept[:n], false
}

// byUrgency puts first what can be changed most easily, and last a second mode
// of the same kind.
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

// need is how long it takes to the first look at so many candidates.
func need(candidates int, run time.Duration, phases int) time.Duration {
	looks, _ := verdict.PlanLooks(candidates*phases, 0)
	return time.Duration(looks[0]*(candidates+2)) * run // the baseline and its control
}

// run is how long one run of the target takes, and of how many phases it is; 0
// where that is not known before.
func (p Plan) run() (time.Duration, int) {
	s, ok := p.Target.(*experiment.Server)
	if !ok {
		return 0, 1
	}
	return s.Plan.Warmup + s.Plan.Length() + starting, len(s.Plan.Phases())
}

// starting is about what starting and stopping a server takes.
const starting = time.Second
