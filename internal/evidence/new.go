package evidence

import (
	"context"
	"slices"

	"github.com/heapwright/heapwright/internal/flow"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/source"
)

// New builds the evidence of one program. x is nil where no source is at hand,
// rt is zero where nothing is known of the process. It takes p over: profiles
// must not be added afterwards. An error names the profiles that cannot be used
// together, or is ctx's.
func New(ctx context.Context, p *Profiles, x *source.Index, rt Runtime) (*Evidence, error) {
	in, err := p.order()
	if err != nil {
		return nil, err
	}
	e := &Evidence{CPU: in.cpu, Heaps: in.heaps, Ended: p.Ended, Notes: in.notes, Runtime: rt, Source: x, dict: p.Dict,
		origins: origins(p.Dict),
		weights: make([]Weight, p.Dict.NumStacks()), charges: make([]charge, p.Dict.NumStacks())}
	b := &builder{
		Evidence: e, series: in, owners: newOwners(p.Dict, x),
		places: make([]place, p.Dict.NumStacks()),
	}
	b.place()
	b.sumHeaps()
	b.sumCPU()
	b.estimate()
	b.fitGrowth()
	b.findStale()
	b.describe()
	b.groupWaiting()
	if len(e.Sites) > 0 && !slices.Contains(b.owners.known, owner.Program) {
		e.note("no function is known to be of the program's own code, so no line of it is found: what go install built of module@version "+
			"looks like a library; check that version out and %s", GiveSource)
	}
	if x != nil {
		b.resolve(ctx)
		if err := b.study(ctx); err != nil {
			return nil, err
		}
		e.Flow = flow.New(x)
	}
	return e, nil
}
