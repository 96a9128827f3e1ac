package diagnose

import "fmt"

func init() {
	register(Rule{
		Name:  "frequent-gc",
		Title: "the collector runs too often for so small a heap",
		Doc: `Looks for a live heap so small that GOGC makes the next collection begin after a few megabytes, and for the CPU
time that collecting takes. What a collection costs apart from marking is the same for any heap, so it should run
rarely: a floor that brings it below one a second, or the largest that memory allows and that still saves something.
Of a larger heap it looks for a goal that is close above what lives, as a small GOGC makes it. It needs to know the
live heap, and of a larger one the goal. It is wrong where a memory limit, not GOGC, keeps the goal down.`,
		Remedy:  "Set a heap floor, or a larger GOGC with a memory limit: no change of the code.",
		Example: "GOGC=400 GOMEMLIMIT=512MiB ./program",
		Risk:    "The process holds as much more memory. A large GOGC without a limit lets a burst take more again.",
		Find:    findFrequentGC,
	})
}

const (
	// smallHeap in bytes of live memory: at GOGC=100 its collections are at
	// most this far apart.
	smallHeap = 16 << 20
	// busyCollecting is the share of CPU time, at its low end, from which on it
	// is worth memory.
	busyCollecting = 0.03
	// worthAFloor is the least share of collections that a floor has to spare.
	worthAFloor = 0.25
	// tight is how many times the live heap a goal is at most to be called so;
	// GOGC=100 makes it twice as large.
	tight = 1.5
)

func findFrequentGC(e *Evidence) []Finding {
	known := e.liveHeap()
	if e.Costs.Samples == 0 || !known.OK {
		return nil // nobody knows what collecting costs, or whether the heap is small
	}
	live, collecting := known.Value, e.pool.collecting(&e.Costs)
	if collecting.Low < busyCollecting {
		return nil
	}
	if live > smallHeap {
		return e.tightGoal(live, collecting)
	}
	floor := e.floorFor(live)
	spares := floor.saves()
	if spares < worthAFloor {
		return nil
	}
	// The low end is for what a heap that no longer fits the caches costs.
	f := Finding{CPU: collecting.Times(0.75*spares, spares), Confidence: High, Example: floor.example()}
	f.Evidence = []Figure{{"live", live, "bytes"}, {"heap goal", floor.goal, "bytes"}, {"CPU time collecting", e.Costs.Collection, "fraction"}}
	if floor.perSecond.OK {
		f.Evidence = append(f.Evidence, Figure{"collections by the rate of allocation", floor.perSecond.Value, "per second"})
	}
	if !e.Runtime.Live.OK {
		f.Confidence = Medium // a heap profile alone says what was live once
	}
	f.Remedy = fmt.Sprintf("Set a heap floor of %.0f MiB, or GOGC=%d with GOMEMLIMIT=%s: no change of the code, and %.0f %% of the collections less.",
		floor.size/(1<<20), floor.gogc(), mebibytes(floor.limit), 100*spares)
	return []Finding{f}
}

// tightGoal finds a GOGC that is too small for a heap that is not.
func (e *Evidence) tightGoal(live float64, collecting Range) []Finding {
	goal := e.Runtime.Goal
	if !goal.OK || goal.Value <= live || goal.Value > tight*live {
		return nil
	}
	if m := e.Runtime.Memory; m.OK && 2*live > m.Value/2 {
		return nil // memory has no room for it
	}
	spares := 1 - (goal.Value-live)/live
	limit := mebibytes(whole(max(0, e.Runtime.Sys.Value-e.Runtime.Objects.Value) + 2.5*live))
	return []Finding{{
		Title: "the collector runs too often: the heap goal is close above what lives",
		CPU:   collecting.Times(0.75*spares, spares), Confidence: Medium, // what lives may be some collections old
		Evidence: []Figure{{"live", live, "bytes"}, {"heap goal", goal.Value, "bytes"}, {"CPU time collecting", e.Costs.Collection, "fraction"}},
		Remedy: fmt.Sprintf("Set GOGC=100, the default, with GOMEMLIMIT=%s: no change of the code, and %.0f %% of the collections less. "+
			"Where GOMEMLIMIT keeps the goal down, raise that, or let less live.", limit, 100*spares),
		Example: "GOGC=100 GOMEMLIMIT=" + limit + " ./program",
		Risk:    fmt.Sprintf("The heap grows to %s before it is collected, twice what lives.", mebibytes(whole(2*live))),
	}}
}
