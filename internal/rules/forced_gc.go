package rules

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var forcedGC = &finding.Rule{
	Name:  "forced-gc",
	Title: "the program forces collections",
	Doc: `Finds collections that runtime.GC or debug.FreeOSMemory force: by the runtime's count of them, and by the calls on
the stacks of CPU and goroutine profiles, else in the source. Each marks the whole live heap, however little was
allocated. No setting of the runtime changes that, and allocating less does not either. Their share of collecting is not
charged to allocations. Calls in a benchmark are named and left out. It is wrong if other calls are part of a measurement.`,
	Remedy:  removeCall,
	Example: `GOMEMLIMIT=512MiB ./program // instead of a call of debug.FreeOSMemory now and then`,
	Risk:    "Without the call, the process keeps free memory some minutes longer after a peak.",
	Find:    findForcedGC,
}

func findForcedGC(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	c := &e.Collections
	share := e.Costs.Collection * c.ByForce
	if share < busyCollecting {
		return nil
	}
	f := finding.Finding{CPU: evidence.Range{Low: 0.7 * share, High: share}, Confidence: evidence.Medium,
		Evidence: []finding.Figure{{Name: "CPU time collecting", Value: e.Costs.Collection, Unit: "fraction"}}}
	what := "collections"
	if c.Forced.OK && c.Forced.Value > 0 {
		what = fmt.Sprintf("%s of %s", format.Count(c.Forced.Value), format.Plural(int(c.Cycles.Value), "collection"))
		f.Evidence = append(f.Evidence, finding.Figure{Name: "collections", Value: c.Cycles.Value, Unit: "count"}, finding.Figure{Name: "forced", Value: c.Forced.Value, Unit: "count"})
	}
	call := forcedAt(&f, e)
	if f.OfTest() {
		f.Title = fmt.Sprintf("the benchmark itself forces %s, by %s", what, call)
		f.Remedy = "Nothing of the program has to change: these collections are left out of the estimates for allocations. Where the timer is " +
			"stopped meanwhile, they also make the benchmark run longer than it measures."
		f.Prose, f.Risk = true, "None: the estimates do not count them."
		return []finding.Finding{f}
	}
	if call == "" {
		f.Title = what + " are forced, by a call of runtime.GC or debug.FreeOSMemory"
		f.Remedy = "Search the program and its dependencies for calls of runtime.GC and debug.FreeOSMemory, and for requests of heap profiles with ?gc=1. " + removeCall
		return []finding.Finding{f}
	}
	f.Title = fmt.Sprintf("%s are forced by %s", what, call)
	if call == freeOSMemory { // the program soon takes the returned memory again
		f.CPU.High = min(1, share+e.Costs.Classes[cost.Scavenge]+e.Costs.Classes[cost.PageFaults])
	}
	return []finding.Finding{f}
}

const removeCall = "Remove the call: the runtime collects by itself when the heap reaches its goal, and returns unused memory in the " +
	"background. No setting of the collector changes forced collections. To bound memory, set GOMEMLIMIT."

const freeOSMemory = "debug.FreeOSMemory"

// forcedAt moves a finding to the line that forces collections, and returns the call, or "" if
// no line is known. A line in a profile is more certain than one that is only in the source.
func forcedAt(f *finding.Finding, e *evidence.Evidence) string {
	if all := e.Collections.Forcing; len(all) > 0 {
		at := all[0]
		f.File, f.Line, f.Function, f.Path, f.Exact = at.File, at.Line, at.Function, at.Path, true
		f.Source, _ = e.Source.Line(f.File, f.Line)
		if f.Evidence = append(f.Evidence, finding.Figure{Name: "samples below the call", Value: at.Samples, Unit: "count"}); e.Collections.Forced.OK {
			f.Confidence = evidence.High
		}
		return at.Call
	}
	calls := e.Source.Calls("runtime.GC", "runtime/debug.FreeOSMemory")
	if len(calls) == 0 {
		return ""
	}
	at := calls[0]
	f.File, f.Line, f.Function = at.File, at.Line, at.In()
	f.Source, _ = e.Source.Line(f.File, f.Line)
	if len(calls) > 1 {
		f.Evidence = append(f.Evidence, finding.Figure{Name: "lines that call it", Value: float64(len(calls)), Unit: "count"})
	}
	return map[bool]string{true: "runtime.GC", false: freeOSMemory}[at.Callee == "runtime.GC"]
}

// settingCalls returns the calls in the program's source that set a limit or GOGC.
func settingCalls(e *evidence.Evidence, name string) []source.Allocation {
	return e.Source.Calls("runtime/debug." + name)
}
