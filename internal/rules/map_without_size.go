package rules

import (
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var mapWithoutSize = &finding.Rule{
	Name:  "map-without-size",
	Title: "a map grows from nothing",
	Doc: `Finds inserts into a map that was made without a size: by the line's syntax, and by runtime.mapassign and its
callees in CPU samples. A growing map moves all of its entries each time it doubles. It is wrong if the number of
entries is not known beforehand. Clearing one map and using it again helps then.`,
	Remedy: "Make the map with the number of entries to be expected. Where nothing keeps it, it can be cleared instead.",
	Example: `m := make(map[string]int, len(in))
// or, from one call to the next:
clear(m)`,
	Risk:          "Low. A guess that is far too large costs memory; a map that is cleared keeps its largest size.",
	WithoutSource: finding.SampledCalls,
	Claims: func(e *evidence.Evidence, s *evidence.Site, x evidence.Expression) finding.Claim {
		return finding.ClaimIf(!x.Sized && (x.Kind == source.MapInsert || x.Kind == source.MakeMap && filled(e, s)))
	},
	Survivors: true,
	Saves:     evidence.Range{Low: 0.3, High: 0.8},
	Words: func(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
		a := c.Expression
		if a.Kind == source.MapInsert && a.Target != "" {
			f.Title = fmt.Sprintf("the map %s grows from nothing", a.Target)
		}
		if a.Made.Line > 0 {
			f.Remedy = fmt.Sprintf("Make %s with its size at %s. Where nothing keeps it, it can be cleared instead.",
				a.Target, finding.FileAndLine(a.Made))
		} else if a.Kind == source.MapInsert { // made elsewhere
			if a.Target != "" { // a literal has no name
				f.Remedy = fmt.Sprintf("Find where %s is made, and make it with its size if that is known "+
					"there. Where nothing keeps it, it can be cleared instead.", a.Target)
			}
			f.CPU.Low = 0 // the map may have a size, or its size may not be known
			if f.Confidence == evidence.High {
				f.Confidence = evidence.Medium
			}
		}
	},
}

// filled reports whether the site's function inserts in a loop into the map that
// the site makes.
func filled(e *evidence.Evidence, s *evidence.Site) bool {
	return slices.ContainsFunc(e.Source.Within(s.File, s.Line), func(a source.Allocation) bool {
		return a.Kind == source.MapInsert && a.InLoop && a.Made.Line == s.Line
	})
}
