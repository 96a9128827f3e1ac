package rules

import (
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

// fewerSaves is the share of the cost that fewer or smaller objects save: nobody
// can say from the outside how many are needed.
var fewerSaves = evidence.Range{Low: 0, High: 1}

// asksForCaller reports whether a line calls runtime.Caller or a similar function. Heap
// profiles omit these from stacks, so the line itself seems to make the objects.
func asksForCaller(e *evidence.Evidence, s *evidence.Site) bool {
	return slices.ContainsFunc(e.Source.Allocations(s.File, s.Line), func(a source.Allocation) bool {
		return a.Kind == source.Call && finding.HasPrefix(a.Callee, []string{"runtime.Caller", "runtime.(*Frames).Next", "runtime.FuncForPC"})
	})
}

// proposeFewer returns the finding for objects that an arena must not hold.
func proposeFewer(e *evidence.Evidence, o object) finding.Finding {
	f := finding.Propose(e, &o.Cause, fewerSaves)
	f.Title = shortLivedTitle(o)
	f.Confidence = evidence.Low
	if o.Expression.Text == "" && asksForCaller(e, o.Site) {
		f.Title = "garbage of runtime.Caller"
		f.Remedy = "Ask for the caller only where its place is used, or keep file and line by the program counter."
		f.Example = "var pcs [1]uintptr\nruntime.Callers(skip, pcs[:]) // allocates nothing\nplace, ok := places[pcs[0]]   // else from runtime.CallersFrames(pcs[:])"
		f.Risk = "Low. The map grows to the number of calls in the source."
		return f
	}
	remains := "fewer or smaller objects: values instead of pointers, many at a time, and none that is not used"
	f.Example = "batch := make([]T, 64) // one allocation for 64 objects, which live as long as any of them\nobject := &batch[0]"
	f.Risk = "A batch lives as long as any of its objects."
	if o.Expression.Kind == source.MakeSlice {
		remains = "fewer or smaller slices: of the length that is needed, or parts of one that is made for many"
		f.Example = "all := make([]T, rows*width) // one allocation for all rows\nrow := all[i*width : (i+1)*width : (i+1)*width]"
		f.Risk = "A part keeps the whole alive."
	}
	if k := o.Expression.Kind; k == source.MakeMap || k == source.MapInsert {
		remains = "a smaller map, without entries that are not used, or a slice where the keys are few or dense"
		f.Example, f.Risk = "all := make([]T, n) // by index, instead of map[int]T", "Low."
	}
	rest := " What remains is "
	if o.kept.Unknown {
		rest = " If they die with a call, use one; otherwise make "
	}
	f.Remedy = finding.Because("No arena and no pool", "an arena or a pool can hold them", o.kept) + rest + remains + "."
	if o.kept.Kept == "" || e.Source == nil {
		f.Remedy = "Find out which reference keeps these objects when the function that they are made for " +
			"returns. If nothing does, an arena can begin and end there; otherwise make fewer or smaller ones: " +
			"values instead of pointers, many at a time."
	}
	return f
}
