package rules

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

var frequentGC = &finding.Rule{
	Name:  "frequent-gc",
	Title: "the collector runs too often for so small a heap",
	Doc: `Finds a live heap so small that under GOGC the next collection begins after a few megabytes, if collecting takes
CPU time. Apart from marking, a collection costs the same for any heap, so it should run rarely. The proposed floor
brings collections below one a second, or is the largest that memory allows and that still saves something. In a larger
heap, it finds a goal close above the live heap, as a small GOGC sets it. It needs to know the live heap, and in a
larger heap the goal. A memory limit that keeps the goal down is the rule memory-limit's.`,
	Remedy:  "Set a heap floor, or a larger GOGC with a memory limit: no change of the code.",
	Example: "GOGC=400 GOMEMLIMIT=512MiB ./program",
	Risk:    "The process holds that much more memory. Without a limit, a large GOGC lets a burst of allocation take even more.",
	Setting: true,
	Find:    findFrequentGC,
}

const (
	// smallHeap in bytes of live memory: at GOGC=100 its collections are at
	// most this far apart.
	smallHeap = 16 << 20
	// busyCollecting is the share of CPU time for GC, at the low end of its range, that is
	// worth more memory.
	busyCollecting = 0.03
	// minSpared is the smallest share of collections that a floor must avoid.
	minSpared = 0.25
)

// findFrequentGC counts only collections that nobody forces.
func findFrequentGC(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	known := e.Live
	if e.Costs.Samples == 0 || !known.OK {
		return nil // the cost of collecting or the size of the heap is unknown
	}
	live, collecting := known.Value, e.Costs.Collecting.Times(1-e.Collections.ByForce, 1-e.Collections.ByForce)
	if collecting.Low < busyCollecting {
		return nil
	}
	if k := keeperOf(e); live > smallHeap || k.close {
		return closeGoalFinding(e, k, live, collecting)
	}
	floor := floorFor(e, live)
	spares := floor.saves()
	if spares < minSpared {
		return nil
	}
	// The low end allows for the cost of a heap that no longer fits the caches: in
	// benchmarks of public modules a floor saved from two fifths of it on.
	f := finding.Finding{
		CPU:        collecting.Times(0.4*spares, spares),
		Confidence: evidence.High,
		Example:    floor.example(),
		Spares:     true,
	}
	f.Evidence = []finding.Figure{{Name: "live", Value: live, Unit: "bytes"}, {Name: "heap goal", Value: floor.goal, Unit: "bytes"}, {Name: "CPU time collecting", Value: e.Costs.Collection, Unit: "fraction"}}
	if floor.perSecond.OK {
		f.Evidence = append(f.Evidence, finding.Figure{Name: "collections by the rate of allocation", Value: floor.perSecond.Value, Unit: "per second"})
	}
	if !e.Runtime.Live.OK {
		f.Confidence = evidence.Medium // a heap profile alone shows one moment
	}
	f.Remedy = fmt.Sprintf("Set a heap floor of %s, or GOGC=%d with GOMEMLIMIT=%s: no change of the code, and %s fewer collections.",
		format.Bytes(floor.size), floor.gogc(), mebibytes(floor.limit), format.RoughShare(spares))
	return []finding.Finding{f}
}

// closeGoalFinding finds a GOGC that is too small for a heap that is not.
func closeGoalFinding(e *evidence.Evidence, k goalKeeper, live float64, collecting evidence.Range) []finding.Finding {
	goal := e.Runtime.Goal
	if !k.close || k.limit {
		return nil // the memory limit is another rule
	}
	if m := e.Runtime.Memory; m.OK && 2*live > m.Value/2 {
		return nil // memory has no room for it
	}
	spares := 1 - (goal.Value-live)/live
	limit := mebibytes(whole(max(0, e.Runtime.Sys.Value-e.Runtime.Objects.Value) + 2.5*live))
	return []finding.Finding{{
		Title: "the collector runs too often: the heap goal is close above the live heap",
		CPU:   collecting.Times(0.75*spares, spares), Confidence: evidence.Medium, // the live heap may be some collections old
		Evidence: []finding.Figure{{Name: "live", Value: live, Unit: "bytes"}, {Name: "heap goal", Value: goal.Value, Unit: "bytes"}, {Name: "CPU time collecting", Value: e.Costs.Collection, Unit: "fraction"}},
		Remedy: fmt.Sprintf("Set GOGC=100, the default, with GOMEMLIMIT=%s: no change of the code, and "+
			"%s fewer collections.", limit, format.RoughShare(spares)),
		Example: "GOGC=100 GOMEMLIMIT=" + limit + " ./program",
		Risk: fmt.Sprintf("The heap grows to %s before it is collected, "+
			"twice the live heap.", format.Bytes(2*live)),
	}}
}
