// Package workload runs heapwright's experiments on packages of this repository, as its
// commands do.
package workload

import (
	"context"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

// Root is the folder of the repository, seen from the folder of bench.
const Root = ".."

// Plan returns the plan of an experiment on the benchmarks of a package that match bench.
// The first of the modes is the baseline.
func Plan(pkg, bench, modes string) (p experiment.Plan, err error) {
	p.Target = &target.Packages{Names: []string{pkg}, Bench: bench}
	if p.Modes, err = mode.Parse(modes); err == nil {
		p.Dir, err = filepath.Abs(Root)
	}
	return p, err
}

// Run carries a plan out.
func Run(ctx context.Context, p experiment.Plan) (*result.Document, error) {
	doc := experiment.NewDocument()
	return doc, experiment.Run(ctx, p, doc, nil)
}
