package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
)

var gateCommand = command{
	name:  "gate",
	args:  "[flags] PACKAGES",
	short: "fail where a change makes benchmarks surely worse than a budget allows",
	long: `
Measures the benchmarks of the work tree, or of -head, interleaved with those
of -base, and fails (exit code 3) where CPU, bytes, allocations or peak memory
of a benchmark have grown by more than the budget, 5 % unless said otherwise,
and the whole interval says so. What only might have is inconclusive, with the
number of blocks that would tell; -strict fails on that too. Both sides of what
failed are profiled, and the lines that it grew by are named.

  heapwright gate -base main ./internal/...
  heapwright gate -base main -limits heapwright.toml -markdown comment.md ./...
  heapwright baseline -o bench.json ./... && heapwright gate -against bench.json ./...

With -against, a report that "heapwright baseline" stored takes the place of
the base. Only bytes and allocations are compared then: CPU and peak memory do
not hold from one machine, or one day, to the next.

The file of -limits, all of it optional:

  [budget."B/op"]            # likewise "allocs/op", "cpu-sec/op",
  grow  = "3%"               # "peak-RSS-bytes", "sec/op" or a unit of yours;
  floor = 64                 # "off" does not gate it; so many bytes never fail

  [[benchmark]]
  name = "json.*"            # without sub-benchmarks, which are json.*/*
  [benchmark.budget."allocs/op"]
  grow = "0%"

  [[exception]]
  benchmark = "json.Decode"
  metric = "allocs/op"
  grow   = "30%"
  until  = 2027-03-01
  reason = "positions are kept now, issue 17"`,
	prepare: func(fs *flag.FlagSet) runner {
		f := &gateFlags{}
		f.register(fs)
		return f.run
	},
}

type gateFlags struct {
	dir, bench          string
	base, head, against string
	limits, out         string
	markdown, junit     string
	annotations, strict bool
	blocks              int
	budget, runTime     time.Duration
	seed                uint64
}

func (f *gateFlags) register(fs *flag.FlagSet) {
	f.registerPackages(fs)
	fs.StringVar(&f.base, "base", "HEAD", "compare with git `REVISION`")
	fs.StringVar(&f.head, "head", "", "compare git `REVISION`, not the work tree")
	fs.StringVar(&f.against, "against", "", "compare with the report in `FILE`, not with a revision")
	fs.StringVar(&f.limits, "limits", "", "read the budget from a TOML `FILE`")
	outFlag(fs, &f.out)
	fs.StringVar(&f.markdown, "markdown", "", "also write a pull-request comment to `FILE`")
	fs.StringVar(&f.junit, "junit", "", "also write JUnit XML to `FILE`")
	fs.BoolVar(&f.annotations, "annotations", os.Getenv("GITHUB_ACTIONS") == "true", "print annotations for GitHub Actions (default: within it)")
	fs.BoolVar(&f.strict, "strict", false, "fail on what is inconclusive, too")
	blocksFlag(fs, &f.blocks)
	budgetFlag(fs, &f.budget)
	runTimeFlag(fs, &f.runTime, gateRunTime)
	seedFlag(fs, &f.seed)
}

// registerPackages registers what chooses the benchmarks.
func (f *gateFlags) registerPackages(fs *flag.FlagSet) {
	fs.StringVar(&f.dir, "C", "", "run as if started in `DIR`, for packages of another module")
	benchFlag(fs, &f.bench)
}

// gateRunTime is shorter than compare's: bytes and allocations are exact at any
// length, and a gate runs on every change.
const gateRunTime = 100 * time.Millisecond

func (f *gateFlags) run(ctx context.Context, env Env, args arguments) error {
	if args.after != nil || len(args.names) == 0 {
		return usagef("give the Go packages whose benchmarks are to be held, as in ./...")
	}
	for _, name := range args.flags {
		if f.against != "" && slices.Contains([]string{"base", "head", "blocks"}, name) {
			return usagef("-against and -%s exclude each other: the work tree is run %d times and held against the stored report", name, storedBlocks)
		}
	}
	budget := gate.Default()
	if f.limits != "" {
		var err error
		if budget, err = gate.Load(f.limits, time.Now()); err != nil {
			return usageError{err}
		}
	}
	dir, err := folder(f.dir)
	if err != nil {
		return err
	}
	doc := args.document(drawn(f.seed))
	check := func() (*gate.Result, error) { return gate.Check(doc, budget) }
	plan := experiment.Plan{
		Target: &experiment.Packages{Names: args.names, Bench: f.bench}, Dir: dir, OutDir: f.out,
		Blocks: f.blocks, Budget: f.budget, RunTime: f.runTime, Seed: doc.Seed, Open: budget.Open,
	}
	if f.against != "" {
		stored, err := result.Load(f.against)
		if err != nil {
			return usageError{err}
		}
		alone(&plan)
		doc.Benchmarks = stored.Benchmarks // as many iterations, so that what is made once weighs the same
		check = func() (*gate.Result, error) { return gate.CheckStored(stored, doc, budget) }
	} else if plan.Modes, err = f.modes(ctx, dir); err != nil {
		return err
	}
	for _, view := range []struct{ flag, file string }{{"-markdown", f.markdown}, {"-junit", f.junit}} {
		if view.file == "" {
			continue
		}
		if err := makeRoomFor(view.file, view.flag); err != nil {
			return err
		}
	}
	if err := measure(ctx, env, plan, doc, nil); err != nil {
		return err
	}
	r, err := check()
	if err != nil {
		return err
	}
	if f.against == "" {
		if err := blame(ctx, env, plan, r); err != nil {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the lines responsible could not be found: %v", err))
		}
	}
	return f.show(env, r)
}

// modes returns the base and the head.
func (f *gateFlags) modes(ctx context.Context, dir string) ([]mode.Mode, error) {
	base, err := revision("base", f.base)
	if err != nil {
		return nil, err
	}
	head := mode.Mode{Name: "head"}
	if f.head != "" {
		if head, err = revision("head", f.head); err != nil {
			return nil, err
		}
	}
	machine := mode.NewMachine(dir)
	if _, err := base.Resolve(ctx, machine); err != nil { // no repository, no such revision
		return nil, usageError{err}
	}
	if f.head == "" && f.base == "HEAD" && machine.CleanTree(ctx) == nil {
		return nil, usagef("the work tree is what is committed, so there is nothing to compare; name another revision with -base")
	}
	return []mode.Mode{base, head}, nil
}

func revision(name, rev string) (mode.Mode, error) {
	modes, err := mode.Parse(fmt.Sprintf("rev=%q", rev))
	if err != nil {
		return mode.Mode{}, usageError{err}
	}
	modes[0].Name = name
	return modes[0], nil
}

// alone makes a plan measure the work tree by itself.
func alone(plan *experiment.Plan) {
	plan.Modes = []mode.Mode{{Name: mode.Default}}
	plan.Blocks = storedBlocks
}

// storedBlocks suffice for metrics that hold between machines: they are equal
// in all runs, or nearly so.
const storedBlocks = 3

// show writes the result in every form that was asked for.
func (f *gateFlags) show(env Env, r *gate.Result) error {
	err := report.Gate(env.Stdout, r, f.strict, report.StyleOf(env.Stdout))
	for _, view := range []struct {
		file  string
		write func(io.Writer, *gate.Result, bool) error
	}{{filepath.Join(f.out, "gate.json"), report.GateJSON}, {f.markdown, report.GateMarkdown}, {f.junit, report.GateJUnit}} {
		if view.file != "" {
			err = errors.Join(err, result.Replace(view.file, func(w io.Writer) error { return view.write(w, r, f.strict) }))
		}
	}
	if f.annotations {
		err = errors.Join(err, report.GateAnnotations(env.Stdout, r, f.strict))
	}
	if err == nil && r.Failed(f.strict) {
		return errFound
	}
	return err
}
