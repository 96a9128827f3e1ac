package diagnose

import (
	"slices"

	"github.com/heapwright/heapwright/internal/source"
)

const (
	deep = 4  // levels of calls that are followed
	wide = 64 // functions in all
)

// reach returns what the functions do that a line calls, directly or not, the
// nearest first: as far as source is at hand and calls are not dynamic.
func (e *Evidence) reach(file string, line int) []source.Allocation {
	var all []source.Allocation
	seen := map[string]bool{}
	here := e.Source.Allocations(file, line)
	for range deep {
		var next []source.Allocation
		for _, a := range here {
			if a.Kind != source.Call || a.Callee == "" || seen[a.Callee] || len(seen) == wide {
				continue
			}
			seen[a.Callee] = true
			next = append(next, e.Source.Of(a.Callee)...)
		}
		all = append(all, next...)
		here = next
	}
	return all
}

// cuts are functions that return parts of the text that they are given.
var cuts = []string{"strings.Split", "strings.Fields", "strings.Cut", "strings.Trim", "strings.Lines",
	"bytes.Split", "bytes.Fields", "bytes.Cut", "bytes.Trim", "bytes.Lines"}

// takesParts says whether some of the expressions make parts of a whole.
func takesParts(all []source.Allocation) bool {
	return slices.ContainsFunc(all, func(a source.Allocation) bool {
		return a.Kind == source.Slicing || a.Kind == source.Call && hasPrefix(a.Callee, cuts)
	})
}
