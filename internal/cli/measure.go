package cli

import (
	"context"
	"errors"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

// measure runs a plan, after the runs of an earlier part of it if there are any,
// and writes its reports, also of what was measured until something went wrong.
func measure(ctx context.Context, env Env, plan experiment.Plan, doc *result.Document, runs []sample.Run) error {
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	plan.Handler = progress
	err := experiment.Run(ctx, plan, doc, runs)
	if len(doc.Runs) > 0 {
		err = errors.Join(err, report.WriteAll(plan.OutDir, doc))
	}
	return err
}
