package experiment

import (
	"context"
	"fmt"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

// record returns the plan as a document keeps it.
func (p Plan) record() (*result.Plan, error) {
	t, err := target.Record(p.Target)
	if err != nil {
		return nil, err
	}
	return &result.Plan{
		Target: t, Dir: p.Dir, Modes: p.Modes, Blocks: p.Blocks, Budget: p.Budget, RunTime: p.RunTime,
		Timeout: p.Timeout, Place: string(p.Place), Again: p.Again, Trace: p.Trace,
	}, nil
}

// Planned returns the plan that a document was made by, ready to be run again or
// to continue. The folder for the results, and who follows them, are left open.
func Planned(ctx context.Context, doc *result.Document) (Plan, error) {
	r := doc.Plan
	if r == nil {
		return Plan{}, fmt.Errorf("it was begun by an older heapwright (%s), which did not record its plan: continue with that version, or run it again without -resume", doc.Tool)
	}
	t, err := target.Open(ctx, r.Target, r.Dir)
	if err != nil {
		return Plan{}, err
	}
	return Plan{
		Target: t, Dir: r.Dir, Modes: r.Modes, Blocks: r.Blocks, Budget: r.Budget, RunTime: r.RunTime,
		Timeout: r.Timeout, Place: Placement(r.Place), Again: r.Again, Trace: r.Trace, Seed: doc.Seed,
	}, nil
}
