package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

// poolForEachCall describes a sync.Pool that is a variable of a function, if a function on a
// site's path calls that function and the site makes the pooled objects: such a pool is new in
// each call, and has nothing to give.
func poolForEachCall(e *evidence.Evidence, s *evidence.Site, f *finding.Finding) {
	leaf := source.NameInPackage(s.Path[0].Function)
	if !strings.HasPrefix(leaf, "New") && !strings.HasPrefix(leaf, "new") {
		return // a pool that works makes little
	}
	for _, frame := range s.Path {
		if !e.Owns(frame) || profile.ShortName(frame.Function) == "main.main" {
			continue
		}
		for _, call := range e.Source.Within(frame.File, frame.Line) {
			if call.Kind != source.Call || call.Callee == "" {
				continue
			}
			made := e.Source.Of(call.Callee)
			i := slices.IndexFunc(made, func(a source.Allocation) bool { return a.Kind == source.New && a.Type == "sync.Pool" })
			if i < 0 || !slices.ContainsFunc(s.Path, func(o evidence.Frame) bool { return isWithin(o.Function, call.Callee) }) {
				continue
			}
			f.Title = fmt.Sprintf("a sync.Pool that each call of %s makes has nothing to give", profile.ShortName(call.Callee))
			f.Remedy = fmt.Sprintf("It is made anew (%s) each time that %s runs, so nothing is ever used again. Make it once: in "+
				"a variable of the package, a field, or where the program starts.", finding.FileAndLine(made[i].Position),
				finding.FileAndLine(source.Position{File: frame.File, Line: call.Line}))
			f.Example = "var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }} // of the package"
			return
		}
	}
}

// isWithin reports whether a function is another, or a closure in it that was perhaps inlined into
// a third: main.picture.Handler.func3 is of web.Handler.
func isWithin(function, callee string) bool {
	name := callee[strings.LastIndexByte(callee, '.')+1:]
	return function == callee || strings.Contains(function, "."+name+".func")
}
