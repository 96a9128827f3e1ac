package rules

import (
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

var collecting = &finding.Rule{
	Name:  "collecting",
	Title: "the collector takes much of the CPU time",
	Doc: `Finds CPU time in the collector that the profiles do not explain: no heap profile shows the size of the live
heap, or the live heap is neither small nor made of small objects. It is wrong if there is no memory for a higher goal.`,
	Remedy:  "Set GOGC=200 with a memory limit: about half of the collections, for a heap that grows to three times the live bytes. A heap profile and /debug/vars show how large a floor pays.",
	Example: "GOGC=200 GOMEMLIMIT=2GiB ./program",
	Risk:    "The heap grows to three times the live bytes before it is collected.",
	Setting: true,
	Find:    findCollecting,
}

const (
	// muchCollecting is the smallest share of CPU time for GC that is worth a finding without a
	// cause.
	muchCollecting = 0.1
	// atGOGC200 is the largest share of the collections that GOGC=200 can avoid.
	atGOGC200 = 0.5
)

func findCollecting(e *evidence.Evidence, causes []finding.Cause) []finding.Finding {
	share := (e.Costs.Collection - e.Costs.Idle) * (1 - e.Collections.Excess())
	if share < muchCollecting || len(findFrequentGC(e, causes)) > 0 || len(findPointerHeaps(e, causes)) > 0 {
		return nil
	}
	return []finding.Finding{{
		Title:      "collecting takes " + format.RoughShare(share) + " of the CPU time",
		CPU:        e.Costs.Collecting.Times(0.5*atGOGC200, atGOGC200).Times(1-e.Collections.Excess(), 1-e.Collections.Excess()),
		Confidence: evidence.Medium, Spares: true,
		Evidence: []finding.Figure{{Name: "CPU time collecting", Value: share, Unit: "fraction"}},
	}}
}
