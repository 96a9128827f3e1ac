package fix

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/fix/propose"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

// PlanRecord is the plan of a run with all defaults filled in, as the document keeps it. An
// interrupted run continues from it.
type PlanRecord struct {
	Target   result.PlannedTarget `json:"target"`
	Dir      string               `json:"dir"` // the absolute folder of the target
	Budget   time.Duration        `json:"budget_ns"`
	Tests    time.Duration        `json:"tests_ns"`
	Race     bool                 `json:"race"`
	Most     int                  `json:"most"`
	Seed     uint64               `json:"seed"`
	Proposer *propose.Proposer    `json:"proposer,omitempty"`
}

func (p Plan) record() (*PlanRecord, error) {
	t, err := target.Record(p.Target)
	return &PlanRecord{
		Target: t, Dir: p.Dir, Budget: p.Budget, Tests: p.Tests, Race: p.Race, Most: p.Most, Seed: p.Seed, Proposer: p.Proposer,
	}, err
}

// Resume returns the plan that continues the run of a document. The caller sets OutDir and
// the functions.
func Resume(ctx context.Context, file string) (Plan, error) {
	before := &Document{}
	if err := experiment.ReadPlan(file, before); err != nil {
		return Plan{}, err
	}
	r := before.Plan
	switch {
	case before.Schema != Schema || before.Diagnosis == nil || r == nil:
		return Plan{}, fmt.Errorf("%s is no run of fix that this version can resume; run without -resume", file)
	case before.Stopped == "":
		return Plan{}, fmt.Errorf("the run in %s is complete; run without -resume for another", filepath.Dir(file))
	}
	t, err := target.Open(ctx, r.Target, r.Dir)
	if err != nil {
		return Plan{}, fmt.Errorf("%s: %w", file, err)
	}
	return Plan{
		Target: t, Dir: r.Dir, Budget: r.Budget, Tests: r.Tests, Race: r.Race, Most: r.Most, Seed: r.Seed,
		Proposer: r.Proposer, Before: before,
	}, nil
}

// reopen takes back the end of an interrupted combination, which keeps one change only.
func (d *Document) reopen() {
	d.Patch, d.Gain, d.Combined = "", nil, nil
	for i := range d.Changes {
		if c := &d.Changes[i]; c.Why == notTogether {
			c.Outcome, c.Why = Kept, "proven alone"
		}
	}
	d.Notes = slices.DeleteFunc(d.Notes, func(note string) bool { return strings.HasSuffix(note, onlyBest) })
}

// measured reports whether the changes of checks were all measured.
func (d *Document) measured() bool {
	return !slices.ContainsFunc(d.Changes, func(c Change) bool {
		return c.Round == 0 && strings.HasPrefix(c.Why, notMeasured)
	})
}

// tried returns the proposals for a finding that were judged before.
func (d *Document) tried(f finding) (all []propose.Attempt) {
	for _, c := range d.Changes {
		if c.Round > 0 && c.File == f.File && c.Line == f.Line {
			all = append(all, propose.Attempt{Patch: c.Patch, Why: c.Why, Refused: c.Refused})
		}
	}
	return all
}
