package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

var compareCommand = command{
	name:  "compare",
	args:  "[flags] PACKAGES | -main PACKAGE [-- args] | [-url URL] -- PROGRAM args",
	short: "measure a target in several memory modes and say which is really cheaper",
	long: `
Runs the target in every mode, in randomised blocks of fresh processes, and
judges CPU time, wall time, bytes, allocations and peak memory against the
baseline, the first mode. A difference is claimed only when its interval lies
outside the noise that an A/A control shows in the same experiment.

  heapwright compare ./workloads/binarytrees
  heapwright compare ./... -bench Decode -modes default,GOGC=400,go1.27.4
  heapwright compare -main ./cmd/server -modes default,nogreenteagc -- -selftest
  heapwright compare -modes default,GOMEMLIMIT=256MiB -- ./prog -n 1000
  heapwright compare -main ./workloads/gateway -shape storm -headers token.txt \
      -url http://127.0.0.1:{port}/v1/orders/7 -- -addr 127.0.0.1:{port}

Modes are settings joined by "+": default, GOGC=400, GOMEMLIMIT=256MiB,
NAME=value, nogreenteagc, arenas, floor=256MiB, gctune, ballast=256MiB,
go1.27.4, tags=x, pgo, rev=main~3, randlayout. "heapwright modes" lists what
this machine can do. Without -modes the memory-relevant modes of this toolchain
are compared.

It ends as soon as every question is decided, at the latest at the last look
(40 blocks) or when the budget is spent. All that it measured is in the output
folder: results.txt (for benchstat -col mode), report.json, report.html,
summary.md, results.csv, tsv/. Ctrl-C loses nothing: -resume goes on.`,
	prepare: func(fs *flag.FlagSet) runner {
		f := &compareFlags{}
		f.register(fs)
		return f.run
	},
}

// compareFlags are the flags of compare.
type compareFlags struct {
	targetFlags
	modes, config, out string
	blocks             int
	budget, runTime    time.Duration
	timeout            time.Duration
	seed               uint64
	resume, dirty      bool
}

func (f *compareFlags) register(fs *flag.FlagSet) {
	f.targetFlags.register(fs)
	f.memoryFlag(fs)
	fs.StringVar(&f.modes, "modes", "", "compare these `MODES`, separated by commas; the first is the baseline (one alone: against default)")
	fs.StringVar(&f.config, "config", "", "read named modes from a TOML `FILE`")
	outFlag(fs, &f.out)
	blocksFlag(fs, &f.blocks)
	fs.DurationVar(&f.budget, "budget", 0, "begin no block that would end later; building comes on top (default: 5m, of a server 30m)")
	runTimeFlag(fs, &f.runTime, experiment.DefaultRunTime)
	fs.DurationVar(&f.timeout, "timeout", 0, "end a run after this (default: ten times -run-time and a minute)")
	seedFlag(fs, &f.seed)
	fs.BoolVar(&f.resume, "resume", false, "go on with the experiment that was cut short in the output folder")
	fs.BoolVar(&f.dirty, "dirty", false, "with rev=: compare the work tree as it is, uncommitted changes included")
}

func (f *compareFlags) run(ctx context.Context, env Env, args arguments) error {
	if f.resume {
		return f.goOn(ctx, env, args)
	}
	f.seed = drawn(f.seed)
	return f.measure(ctx, env, args, args.document(f.seed), nil)
}

// goOn takes the command line from the experiment that was cut short, so that
// it need not be typed again. Only the budget may be given anew.
func (f *compareFlags) goOn(ctx context.Context, env Env, args arguments) error {
	if err := args.resumes(f.out); err != nil {
		return err
	}
	doc, runs, err := experiment.Resume(f.out)
	if err != nil {
		return err
	}
	old := &compareFlags{}
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	old.register(fs)
	if len(doc.Command) == 0 || doc.Command[0] != "compare" {
		return fmt.Errorf("%s does not hold an experiment of compare", f.out)
	}
	oldArgs, err := parse(fs, doc.Command[1:])
	if err != nil {
		return fmt.Errorf("the command recorded in %s: %w", f.out, err)
	}
	old.out, old.budget, old.seed = f.out, f.budget, doc.Seed
	old.from(doc.Dir)
	oldArgs.typed, oldArgs.dir = doc.Command, doc.Dir
	return old.measure(ctx, env, oldArgs, doc, runs)
}

func (f *compareFlags) measure(ctx context.Context, env Env, args arguments, doc *result.Document, runs []sample.Run) error {
	target, err := f.target(args)
	if err != nil {
		return err
	}
	dir, err := folder(f.dir)
	if err != nil {
		return err
	}
	machine := mode.NewMachine(dir)
	modes, err := f.chooseModes(ctx, machine, target)
	if err != nil {
		return err
	}
	if _, ok := target.(*experiment.Server); ok && f.budget == 0 {
		f.budget = experiment.DefaultServerBudget
	}
	err = measure(ctx, env, experiment.Plan{
		Target: target, Modes: modes, Dir: dir, OutDir: f.out,
		Blocks: f.blocks, Budget: f.budget, RunTime: f.runTime, Timeout: f.timeout, Seed: f.seed,
	}, doc, runs)
	if len(doc.Runs) > 0 {
		err = errors.Join(err, report.Table(env.Stdout, doc, f.out, report.StyleOf(env.Stdout)))
	}
	if errors.Is(err, experiment.ErrInterrupted) && doc.Blocks > 0 {
		return fmt.Errorf("interrupted after %d blocks, which are kept; go on with: heapwright compare -resume -o %s", doc.Blocks, f.out)
	}
	return err
}

// chooseModes returns the modes to compare, the baseline first.
func (f *compareFlags) chooseModes(ctx context.Context, machine *mode.Machine, target experiment.Target) ([]mode.Mode, error) {
	var modes []mode.Mode
	var err error
	switch {
	case f.modes != "" && f.config != "":
		return nil, usagef("-modes and -config exclude each other")
	case f.config != "":
		modes, err = mode.Load(f.config)
	case f.modes != "":
		modes, err = mode.Parse(f.modes)
	default:
		modes, err = mode.DefaultMatrix(ctx, machine, target.Patterns())
	}
	if err != nil {
		return nil, usageError{err}
	}
	if len(modes) == 1 {
		if len(modes[0].Settings) == 0 {
			return nil, usagef("the default alone cannot be compared; give a second mode, or see heapwright aa -h")
		}
		modes = append([]mode.Mode{{Name: mode.Default}}, modes...) // what else would it be compared with
	}
	for _, m := range modes {
		if m.Revision() == "" || f.dirty {
			continue
		}
		if _, err := m.Resolve(ctx, machine); err != nil { // no repository, no such revision
			return nil, usageError{err}
		}
		if err := machine.CleanTree(ctx); err != nil {
			return nil, usageError{fmt.Errorf("%s: %w; or give -dirty to compare the tree as it is", m.Name, err)}
		}
	}
	return modes, nil
}
