package diagnose

import "fmt"

func init() {
	register(Rule{
		Name:  "frequent-gc",
		Title: "the collector runs too often for so small a heap",
		Doc: `Looks for a live heap so small that GOGC makes the next collection begin after a few megabytes, and for the CPU
time that collecting takes. What a collection costs apart from marking is the same for any heap, so it should run
rarely: a floor that brings it below one a second, or the largest that memory allows and that still saves something.`,
		Remedy: "Set a heap floor, or a larger GOGC with a memory limit: no change of the code.",
		Risk:   "The process holds as much more memory. A large GOGC without a limit lets a burst take more again.",
		Find:   findFrequentGC,
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
)

func findFrequentGC(e *Evidence) []Finding {
	live := 0.0
	for i := range e.Sites {
		live += e.Sites[i].Live.Bytes
	}
	if e.Runtime.Live.OK {
		live = e.Runtime.Live.Value
	}
	if e.Costs.Samples == 0 {
		return nil // without a CPU profile nobody knows what collecting costs
	}
	collecting := e.pool.collecting(&e.Costs)
	if live > smallHeap || collecting.Low < busyCollecting {
		return nil
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
