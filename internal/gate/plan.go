package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

// Plan says which benchmarks are compared with which base. Packages and Dir are
// required.
type Plan struct {
	Packages []string
	Bench    string // regular expression of go test -bench; "" is all
	Dir      string // the folder of the packages, absolute
	OutDir   string // the output folder of the experiment
	Base     string // git revision
	Head     string // git revision; "" is the work tree
	Against  string // file of a stored report that takes the place of Base
	Limits   string // TOML file of a budget; "" is Default
	Blocks   int
	Budget   time.Duration
	RunTime  time.Duration
	Seed     uint64
	Handler  result.Handler
}

// DefaultRunTime is shorter than compare's: bytes and allocations are exact at
// any length, and a gate runs on every change.
const DefaultRunTime = 100 * time.Millisecond

// StoredBlocks suffice for metrics that hold between machines: they are equal
// in all runs, or nearly so.
const StoredBlocks = 3

// Gate is a plan that can be carried out: revisions, budget and stored report
// are there.
type Gate struct {
	packages target.Packages
	plan     experiment.Plan
	budget   *Budget
	stored   *result.Document // nil where a revision is the base
}

// New resolves a plan. Its errors are the user's mistakes.
func New(ctx context.Context, p Plan) (*Gate, error) {
	g := &Gate{packages: target.Packages{Names: p.Packages, Bench: p.Bench}, budget: Default()}
	var err error
	if p.Limits != "" {
		if g.budget, err = Load(ctx, p.Limits, time.Now()); err != nil {
			return nil, err
		}
	}
	g.plan = p.experiment(&g.packages)
	g.plan.Open = g.budget.Open
	if p.Against != "" {
		alone(&g.plan)
		g.stored, err = result.Load(ctx, p.Against)
	} else {
		g.plan.Select = true // rather fewer benchmarks than a budget that is overrun with none decided
		g.plan.Modes, err = p.modes(ctx)
	}
	return g, err
}

// Run measures, holds the figures against the budget and names the lines by
// which failing benchmarks grew. doc is the document of the experiment, which holds
// the measurements even where an error says that there is no result.
func (g *Gate) Run(ctx context.Context, doc *result.Document) (*Result, error) {
	if g.stored != nil {
		// Objects made once weigh the same in as many iterations.
		doc.Benchmarks = g.stored.Benchmarks
	}
	if err := experiment.Run(ctx, g.plan, doc, nil); err != nil {
		return nil, err
	}
	if g.stored != nil {
		return CheckStored(g.stored, doc, g.budget)
	}
	r, err := Check(doc, g.budget)
	if err != nil {
		return nil, err
	}
	if err := g.blame(ctx, r); err != nil {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the lines responsible could not be found: %v", err))
	}
	return r, nil
}

// Measure runs the benchmarks of the work tree a few times, for Stored.
func Measure(ctx context.Context, p Plan, doc *result.Document) (err error) {
	if p.OutDir, err = result.Scratch(); err != nil {
		return err
	}
	defer os.RemoveAll(p.OutDir)
	plan := p.experiment(&target.Packages{Names: p.Packages, Bench: p.Bench})
	alone(&plan)
	return experiment.Run(ctx, plan, doc, nil)
}

func (p Plan) experiment(t target.Target) experiment.Plan {
	return experiment.Plan{
		Target: t, Dir: p.Dir, OutDir: p.OutDir, Handler: p.Handler,
		Blocks: p.Blocks, Budget: p.Budget, RunTime: p.RunTime, Seed: p.Seed,
	}
}

// alone makes a plan measure the work tree by itself.
func alone(plan *experiment.Plan) {
	plan.Modes = []mode.Mode{{Name: mode.Default}}
	plan.Blocks = StoredBlocks
}

// modes returns the base and the head.
func (p Plan) modes(ctx context.Context) ([]mode.Mode, error) {
	base, err := revision("base", p.Base)
	if err != nil {
		return nil, err
	}
	head := mode.Mode{Name: "head"}
	if p.Head != "" {
		if head, err = revision("head", p.Head); err != nil {
			return nil, err
		}
	}
	machine := mode.NewMachine(p.Dir)
	if _, err := base.Resolve(ctx, machine); err != nil { // no repository, no such revision
		return nil, err
	}
	if p.Head == "" && p.Base == "HEAD" && machine.CleanTree(ctx) == nil {
		return nil, errors.New("the work tree has no uncommitted changes, so there is nothing to compare; name another revision with -base")
	}
	return []mode.Mode{base, head}, nil
}

func revision(name, rev string) (mode.Mode, error) {
	modes, err := mode.Parse(fmt.Sprintf("rev=%q", rev))
	if err != nil {
		return mode.Mode{}, err
	}
	modes[0].Name = name
	return modes[0], nil
}
