package finding

import (
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/source"
)

// measuredLoop matches the head of a loop that a benchmark measures.
var measuredLoop = regexp.MustCompile(`\bfor\b.*(\.N\b|\.Loop\(\)|\.Next\(\))`)

// mostlySetUp is the share of a site's allocations in the set-up of a benchmark, above which
// the site counts as set-up.
const mostlySetUp = 0.9

// isSetUp reports whether nearly all allocations of a finding's line are in the set-up of
// benchmarks.
func (f *Finding) isSetUp(e *evidence.Evidence) bool {
	i := slices.IndexFunc(e.Sites, func(s evidence.Site) bool { return s.File == f.File && s.Line == f.Line })
	if i < 0 {
		return false
	}
	total, before := 0.0, 0.0
	for _, stack := range e.Sites[i].Stacks {
		size := e.Size(e.Of(stack))
		total += size
		if size > 0 && setsUp(e, e.Frames(stack)) {
			before += size
		}
	}
	return before > 0 && before >= mostlySetUp*total
}

// setsUp reports whether a path leads through a benchmark outside of its measured loop. Such
// code runs once in each run of the benchmark, before or after the measurement. If the loop is
// in another function, the answer is false.
func setsUp(e *evidence.Evidence, path []evidence.Frame) bool {
	root := slices.IndexFunc(path, func(f evidence.Frame) bool { return f.Function == "testing.(*B).runN" })
	apart := false
	for _, f := range path[:max(0, root)] {
		if !strings.HasSuffix(f.File, "_test.go") {
			continue
		}
		calls := slices.DeleteFunc(slices.Clone(e.Source.Allocations(f.File, f.Line)), func(a source.Allocation) bool { return a.Kind != source.Call })
		if len(calls) == 0 || slices.ContainsFunc(calls, func(a source.Allocation) bool { return a.InLoop }) {
			return false
		}
		apart = apart || measures(e, f)
	}
	return apart
}

// measures reports whether a frame's function has a measured loop.
func measures(e *evidence.Evidence, f evidence.Frame) bool {
	fn, ok := e.Source.Function(f.File, f.Line)
	for n := fn.First; ok && n <= fn.Last; n++ {
		if text, _ := e.Source.Line(f.File, n); measuredLoop.MatchString(text) {
			return true
		}
	}
	return false
}
