package tune

import (
	"context"
	"fmt"
	"time"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

// Planned is the plan of a tuning with all defaults filled in, as the document keeps it.
// An interrupted tuning continues from it.
type Planned struct {
	Target  result.PlannedTarget `json:"target"`
	Dir     string               `json:"dir"` // the absolute folder of the target
	Budget  time.Duration        `json:"budget_ns"`
	RunTime time.Duration        `json:"run_time_ns,omitempty"` // 0 chooses it
	MaxRSS  float64              `json:"max_rss_bytes,omitempty"`
	Prices  Prices               `json:"prices,omitzero"`
	Seed    uint64               `json:"seed"`
}

func (p Plan) record() (*Planned, error) {
	t, err := target.Record(p.Target)
	return &Planned{t, p.Dir, p.Budget, p.RunTime, p.MaxRSS, p.Prices, p.Seed}, err
}

// Resume returns the plan that continues the tuning of a document, finished or not.
// The caller sets OutDir and the functions.
func Resume(ctx context.Context, file string) (Plan, error) {
	before, err := read(file)
	if err != nil {
		return Plan{}, err
	}
	r := before.Plan
	if r == nil {
		return Plan{}, fmt.Errorf("%s was written by an older heapwright (%s), which did not record its plan: continue with that version, or run it again without -resume", file, before.Tool)
	}
	t, err := target.Open(ctx, r.Target, r.Dir)
	if err != nil {
		return Plan{}, fmt.Errorf("%s: %w", file, err)
	}
	return Plan{
		Target: t, Dir: r.Dir, Budget: r.Budget, RunTime: r.RunTime, MaxRSS: r.MaxRSS, Prices: r.Prices, Seed: r.Seed,
		Before: before,
	}, nil
}
