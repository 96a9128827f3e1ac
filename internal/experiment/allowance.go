package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/target"
)

// The budget of an experiment begins when its target is built: listing,
// calibrating and probing benchmarks count, as does one that hangs.

// begin starts the clock. Building took so long.
func (e *experiment) begin(building time.Duration) {
	e.deadline = time.Now().Add(e.plan.Budget)
	e.doc.Compiling += building.Seconds()
	if building >= longCompile {
		e.note("compiling took %v, which does not count against the budget", building.Round(time.Second))
	}
}

// built moves the end of the budget by the time that a build took meanwhile.
func (e *experiment) built(took time.Duration) {
	e.deadline = e.deadline.Add(took)
	e.doc.Compiling += took.Seconds()
}

// left is the part of the budget that is not spent.
func (e *experiment) left() time.Duration { return max(0, time.Until(e.deadline)) }

// timeout is how long one untimed run may take: one that hangs takes a part of
// the budget. The runs of a server or a command are as long as they are. Finding
// the count of iterations takes two runs of RunTime on a quiet machine, and twice
// as long on a busy one. Benchmarks that the plan names ran before, so that one that takes
// long shows a busy machine.
func (e *experiment) timeout() time.Duration {
	if e.isWhole() || e.patient || e.plan.Among != nil {
		return e.plan.Timeout
	}
	return min(e.plan.Timeout, max(e.plan.Budget/4, leastTimeout, 2*calibratingRuns*e.plan.RunTime))
}

// listing is the timeout of finding the benchmarks. Where some may be left out, the
// list may be incomplete. The list of a command or a server is its one run.
func (e *experiment) listing() time.Duration {
	switch f := e.plan.Target.Facts(); {
	case lasts(f):
		return min(e.plan.Timeout, e.plan.Patience)
	case e.plan.Select && f.Run == 0:
		return min(e.timeout(), max(e.plan.Budget/8, leastListing))
	}
	return e.timeout()
}

// lasts reports whether a run takes as long as it takes, which is not known: it is a
// command's.
func lasts(f target.Facts) bool { return f.FixedLength && f.Run == 0 }

const (
	leastTimeout = 5 * time.Second
	leastListing = 2 * time.Second
	longCompile  = 10 * time.Second
)

// choose returns the benchmarks in the order in which they are calibrated: where
// some may be left out, the healthy ones by their worth, then those that failed. A plan that
// names benchmarks has their order.
func (e *experiment) choose(found []target.Found) []target.Found {
	if !e.plan.Select || e.plan.Among != nil {
		return found
	}
	all := byWorth(found)
	for _, f := range found {
		if f.Err != nil {
			all = append(all, f)
		}
	}
	return all
}

// byWorth orders the healthy benchmarks: the first of each group of
// sub-benchmarks, then the second of each, and so on. Within such a round, and
// within a group, the one that allocates fastest comes first.
func byWorth(found []target.Found) []target.Found {
	all := slices.DeleteFunc(slices.Clone(found), func(f target.Found) bool { return f.Err != nil })
	slices.SortStableFunc(all, func(a, b target.Found) int { return cmp.Compare(b.Rate, a.Rate) })
	seen, round := map[string]int{}, map[string]int{}
	for _, f := range all {
		top, _, _ := strings.Cut(f.Benchmark, "/")
		group := f.Package + " " + top
		round[f.Key.String()] = seen[group]
		seen[group]++
	}
	slices.SortStableFunc(all, func(a, b target.Found) int {
		return cmp.Compare(round[a.Key.String()], round[b.Key.String()])
	})
	return all
}

// noteLongBlock notes that the first block, which is always run whole, takes longer
// than the budget, where the length of a run is known.
func (e *experiment) noteLongBlock() {
	runs := len(e.arms())
	if block := time.Duration(runs) * e.plan.Target.Facts().Run; block > e.plan.Budget {
		e.note("one block of %d runs takes about %v, which is more than the budget of %v: give a larger -budget, or a shorter duration with -load",
			runs, block.Round(time.Second), e.plan.Budget)
	}
}

// noteLeftOut notes the benchmarks that do not fit into the budget.
func (e *experiment) noteLeftOut() {
	if len(e.leftOut) == 0 {
		return
	}
	e.doc.LeftOut = e.leftOut
	const shown = 5
	var names []string
	for _, k := range e.leftOut[:min(shown, len(e.leftOut))] {
		names = append(names, k.Benchmark)
	}
	text := strings.Join(names, ", ")
	if more := len(e.leftOut) - shown; more > 0 {
		text += " and " + plural(more, "other")
	}
	which := "those that allocate"
	if len(e.leftOut) == 1 {
		which = "the one that allocates"
	}
	if e.plan.Among != nil {
		which = strings.Replace(which, "allocate", "matter", 1)
	}
	e.note("%s left out to keep to the budget, %s least: %s; give a larger -budget, or choose with -bench",
		plural(len(e.leftOut), "benchmark"), which, text)
}

func plural(n int, thing string) string {
	if n == 1 {
		return "one " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
