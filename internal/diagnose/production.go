package diagnose

import (
	"context"
	"fmt"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

// production returns the evidence from profiles of the program's production, with which
// a target is compared. It returns nil if the plan has none.
func (in *inputs) production(ctx context.Context, x *source.Index) (*evidence.Evidence, error) {
	if len(in.plan.Production) == 0 {
		return nil, nil
	}
	profiles := evidence.NewProfilesWith(profile.Options{MaxBytes: in.plan.MaxBytes, Open: in.plan.Open})
	for _, name := range in.plan.Production {
		if err := profiles.AddFile(name); err != nil {
			return nil, err
		}
	}
	return evidence.New(ctx, profiles, x, evidence.Runtime{})
}

// inProduction adds to findings the share of CPU that production spends in their
// functions.
func inProduction(findings []rules.Finding, e, production *evidence.Evidence) {
	here, there := e.CPUShares(), production.CPUShares()
	if len(here) == 0 || len(there) == 0 {
		return
	}
	for i := range findings {
		f := &findings[i]
		if f.Function == "" {
			continue
		}
		f.Production = &evidence.Difference{Function: f.Function, Here: here[f.Function], Production: there[f.Function]}
		f.Evidence = append(f.Evidence,
			finding.Figure{Name: "CPU time in its function, in production", Value: f.Production.Production, Unit: "fraction"})
	}
}

// likeEnough is the overlap by function below which gains of a target say little about
// production.
const likeEnough = 0.5

// Unlike returns a sentence on how much the target differs from production, or "" if it
// is like it.
func (d *Document) Unlike() string {
	for _, l := range d.Production {
		if l.Functions < likeEnough {
			return fmt.Sprintf("every gain is for what was run here, which is not like production: by function, only %s of "+
				"the %s overlap, and %s of production's are in functions that run here at all", format.RoughShare(l.Functions),
				nouns[l.Metric], format.RoughShare(l.Reached))
		}
	}
	return ""
}

var nouns = map[string]string{"CPU": "CPU times", "bytes": "allocated bytes"}
