package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// findUnmatched lists benchmarks that only one of two revisions has, and notes
// those that only the other one has and that fail there. Within one revision a
// mode does not change which benchmarks there are.
func (e *experiment) findUnmatched(ctx context.Context, ours []target.Found) error {
	e.doc.Unmatched = nil
	base := e.cells[0]
	limit := e.listing()
	if countHealthy(ours) == len(ours) { // else one list would be shorter than the other
		limit = e.timeout() // whatever was listed on the baseline just in time is no fault of another revision
	}
	for _, c := range e.cells[1:] {
		if c.Err != nil || c.Config.Revision == base.Config.Revision {
			continue
		}
		theirs, err := e.list(ctx, c, limit)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Mode.Name, err)
		}
		e.unmatched(ours, theirs, base)
		e.unmatched(theirs, ours, c)
		for _, f := range theirs {
			// Otherwise its own run reports the error.
			if f.Err != nil && !lists(ours, f.Key) {
				e.failure(f.Key, c.Mode.Name, 0, f.Err)
			}
		}
	}
	return nil
}

// unmatched notes the benchmarks that one cell has and another has not. A package's
// list that ends in a failure says nothing about the rest.
func (e *experiment) unmatched(has, hasNot []target.Found, c *target.Cell) {
	for _, f := range has {
		cutShort := slices.ContainsFunc(hasNot,
			func(g target.Found) bool { return g.Package == f.Package && g.Err != nil })
		if f.Err == nil && !cutShort && !lists(hasNot, f.Key) {
			e.doc.Unmatched = append(e.doc.Unmatched, result.LoneBenchmark{Key: f.Key, Mode: c.Mode.Name})
		}
	}
}

func lists(found []target.Found, k sample.Key) bool {
	return slices.ContainsFunc(found, func(f target.Found) bool { return f.Key == k })
}
