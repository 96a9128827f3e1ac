package rules

import (
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/leak"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

var lockQueue = &finding.Rule{
	Name:  "lock-queue",
	Title: "goroutines queue for a lock all the time",
	Doc: `Finds locks for which many goroutines wait in each of three or more goroutine profiles, and names a goroutine that waits
for something else while it holds the lock. It costs time and no CPU: the program is slow, and its processors are idle.
It is wrong if the profiles were taken during a short peak.`,
	Remedy: "Hold the lock for a shorter time, and do slow work outside of it.",
	Example: `mu.Lock()
l := limits[key]
mu.Unlock()
return next.Write(ctx, l, body) // not while mu is locked`,
	Risk: "What was read under the lock may have changed when the slow work ends.",
	Find: findLockQueues,
}

func findLockQueues(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	var all []finding.Finding
	for _, l := range leak.Queues(e) {
		waiting, least := 0.0, 0.0
		for _, p := range l.Places {
			waiting, least = waiting+p.Now(), least+slices.Min(p.Counts)
		}
		f := finding.Finding{File: l.At.File, Line: l.At.Line, Function: l.At.Function, Path: l.Path, Change: l.Change,
			Title: l.Title, Remedy: l.Remedy, Confidence: l.Confidence, Exact: true, Apart: true}
		f.Source, _ = e.Source.Line(f.File, f.Line)
		f.Share = waiting / max(e.Goroutines.Last, waiting)
		f.Weight = f.Share
		f.Evidence = []finding.Figure{
			{Name: "goroutines that wait for it", Value: waiting, Unit: "count"},
			{Name: "at the least", Value: least, Unit: "count"},
			{Name: "of all goroutines", Value: f.Share, Unit: "fraction"},
		}
		all = append(all, f)
	}
	return all
}
