package diagnose

import "fmt"

func init() {
	register(Rule{
		Name:  "frequent-gc",
		Title: "the collector runs too often for so small a heap",
		Doc: `Looks for a live heap so small that GOGC makes the next collection begin after a few megabytes, and for the CPU
time that collecting takes. What a collection costs apart from marking is the same for any heap, so it should run
rarely: a floor under the heap of some tens of megabytes is memory that most machines have.`,
		Remedy: "Set a heap floor, or a larger GOGC with a memory limit: no change of the code.",
		Example: `import "github.com/heapwright/heapwright/gctune"
// or, in the environment:
GOGC=400 GOMEMLIMIT=512MiB ./program`,
		Risk: "The process holds the floor's memory. A large GOGC without a limit lets a burst take as much more.",
		Find: findFrequentGC,
	})
}

const (
	// smallHeap in bytes of live memory: at GOGC=100 its collections are at
	// most this far apart.
	smallHeap = 16 << 20
	// heapMinimum is the heap at which the first collection begins
	// (runtime/mgcpacer.go).
	heapMinimum = 4 << 20
	// busyCollecting is the share of CPU time, at its low end, from which on it
	// is worth memory.
	busyCollecting = 0.03
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
	// A floor of 16 times the goal lets all but one in 16 collections go; the
	// low end is for what a heap that no longer fits the caches costs.
	f := Finding{CPU: collecting.Times(0.7, 0.95), Confidence: High}
	f.Evidence = []Figure{{"live", live, "bytes"}, {"CPU time collecting", e.Costs.Collection, "fraction"}}
	if !e.Runtime.Live.OK {
		f.Confidence = Medium // a heap profile alone says what was live once
	}
	goal := max(heapMinimum, 2*live)
	f.Remedy = fmt.Sprintf("Set a heap floor of %.0f MB, or a larger GOGC with a memory limit: no change of the code.", 16*goal/1e6)
	return []Finding{f}
}
