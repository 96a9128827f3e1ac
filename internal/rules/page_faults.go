package rules

import (
	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

var pageFaults = &finding.Rule{
	Name:  "page-faults",
	Title: "the program gets its memory from the system again and again",
	Doc: `Finds CPU time in the runtime's calls that map and release memory, and in page faults below them. If the heap
swings, if GOMEMLIMIT is close to the live heap, or after debug.FreeOSMemory, the runtime releases pages and faults them
in again. It is wrong if the profile is of the program's start, when each page is touched for the first time.`,
	Remedy:  "Keep memory instead of getting it again: reuse large buffers, make slices and maps with their size, leave room between the live heap and GOMEMLIMIT, and do not call debug.FreeOSMemory. If the profile covers the start, profile later.",
	Example: "GOGC=200 GOMEMLIMIT=512MiB ./program",
	Risk:    "The process holds more memory between bursts.",
	Find:    findPageFaults,
}

// busyFaulting is the smallest share of CPU time for page faults that is worth a finding.
const busyFaulting = 0.05

func findPageFaults(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	if e.Costs.Samples == 0 {
		return nil
	}
	faults, scavenge := e.Costs.Classes[cost.PageFaults], e.Costs.Classes[cost.Scavenge]
	if faults < busyFaulting || e.Collections.Excess() > 0.5 { // the cause of such collections is found
		return nil
	}
	return []finding.Finding{{
		Title:      "page faults take " + format.RoughShare(faults) + " of the CPU time",
		CPU:        evidence.Range{Low: faults * 0.25, High: min(1, faults+scavenge)},
		Confidence: evidence.Medium,
		Evidence:   []finding.Figure{{Name: "CPU time in page faults", Value: faults, Unit: "fraction"}, {Name: "CPU time giving memory back", Value: scavenge, Unit: "fraction"}},
	}}
}
