package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
)

var compareCommand = command{
	name:  "compare",
	args:  "[flags] PACKAGES | -main PACKAGE [-- args] | [-url URL] -- PROGRAM args",
	short: "measure a target in several memory modes, to find the cheapest",
	long: `
Compare runs the target in every mode, in randomised blocks of fresh processes. It
compares the CPU time, wall time, bytes, allocations and peak memory of each mode
with those in the first mode, the baseline. It claims a difference only if the
whole confidence interval lies outside the noise floor, which the same experiment
measures by running two copies of one binary.

  heapwright compare ./internal/codec
  heapwright compare ./... -bench Decode -modes default,GOGC=400,go1.27.4
  heapwright compare ./... -modes default,patch=my.diff,patch=other.diff
  heapwright compare -main ./cmd/server -modes default,nogreenteagc -- -selftest
  heapwright compare -modes default,GOMEMLIMIT=256MiB -- ./prog -n 1000
  heapwright compare -main ./cmd/server -load shape=storm,headers=token.txt \
      -url http://127.0.0.1:{port}/v1/orders/7 -- -addr 127.0.0.1:{port}
  heapwright compare -profiles serve+http://127.0.0.1:7070 -service checkout

A mode is one or more settings joined by "+": default, GOGC=400, GOMEMLIMIT=256MiB,
NAME=value, nogreenteagc, arenas, floor=256MiB, gctune, ballast=256MiB, go1.27.4,
tags=x, pgo, rev=main~3, patch=my.diff, dep=golang.org/x/net@latest, randlayout.
"heapwright modes" lists the settings that this machine can measure. Without -modes,
compare measures the memory-relevant modes of the toolchain.

With -profiles, nothing runs: compare reads the profiles of two versions of a service that
run side by side, and names the functions that cost more or less in the newer one.

The experiment ends when every question is decided, at the latest after 40 blocks
or at the end of the budget. The output folder then has results.txt (for
benchstat -col mode), report.json, report.html, summary.md, results.csv and tsv/.
Ctrl-C loses only the block in progress; -resume continues.`,
	prepare: func(fs *flagSet) runner {
		f := &compareFlags{}
		f.register(fs)
		return f.run
	},
}

// compareFlags are the flags of compare.
type compareFlags struct {
	targetFlags
	choice mode.Choice
	plan   experiment.Plan
	resume bool
	json   bool

	profiles  string // the server of profiles to compare; "" runs a target
	base      string // the older version
	remote    remote
	tokenFile string
}

func (f *compareFlags) register(fs *flagSet) {
	f.targetFlags.register(fs)
	f.memoryFlag(fs)
	fs.experiment.common.StringVar(&f.choice.List, "modes", "", "compare these `MODES`, separated by commas; the first is the baseline (a single mode is compared with default). upgrade compares this Go with the newest, and with its new defaults off")
	fs.experiment.rare.StringVar(&f.choice.File, "modes-file", "", "read named modes from a TOML `FILE`")
	outFlag(fs, &f.plan.OutDir)
	blocksFlag(fs, &f.plan.Blocks)
	fs.experiment.common.DurationVar(&f.plan.Budget, "budget", 0, "start no block that would end after `TIME`, not counting builds (default: 5m, for a server 30m)")
	runTimeFlag(fs, &f.plan.RunTime, experiment.DefaultRunTime)
	fs.experiment.rare.DurationVar(&f.plan.Timeout, "run-timeout", 0, "stop a run that takes longer than `TIME` (default: 10× -run-time plus 1m; for a command at least a quarter of -budget)")
	seedFlag(fs, &f.plan.Seed)
	jsonFlag(fs, &f.json)
	f.registerProfiles(fs)
	traceFlag(fs, &f.plan.Trace)
	fs.experiment.common.BoolVar(&f.resume, "resume", false, "continue the interrupted experiment in the output folder")
	fs.experiment.rare.BoolVar(&f.choice.Dirty, "dirty", false, "with rev=: measure the work tree as it is, with uncommitted changes")
}

func (f *compareFlags) run(ctx context.Context, env Env, args arguments) (err error) {
	if f.profiles != "" {
		return f.compareProfiles(ctx, env, args)
	}
	if f.resume {
		return f.goOn(ctx, env, args)
	}
	p := &f.plan
	if note := f.fit(p.Budget); note != "" {
		fmt.Fprintf(env.Stderr, "heapwright compare: note: %s\n", note)
	}
	if p.Target, err = f.target(ctx, args); err != nil {
		return err
	}
	if p.Dir, err = folder(f.dir); err != nil {
		return err
	}
	if p.Modes, err = mode.Choose(ctx, mode.NewMachine(p.Dir), f.choice, p.Target.Facts().Packages); err != nil {
		return usageError{err}
	}
	release, err := args.claim(env, p.OutDir)
	if err != nil {
		return err
	}
	defer release()
	p.Seed, p.Select = drawn(p.Seed), true
	args.saves()
	return f.measure(ctx, env, args.document(p.Seed), nil)
}

// goOn takes the plan from the experiment that was cut short, so that nothing
// need be typed again. Only the budget may be given again.
func (f *compareFlags) goOn(ctx context.Context, env Env, args arguments) error {
	dir, budget := f.plan.OutDir, f.plan.Budget
	release, err := args.resumes(env, dir)
	if err != nil {
		return err
	}
	defer release()
	doc, runs, err := experiment.Resume(dir)
	if err != nil {
		return err
	}
	if len(doc.Command) == 0 || doc.Command[0] != "compare" {
		return fmt.Errorf("%s does not hold an experiment of compare", dir)
	}
	if f.plan, err = experiment.Planned(ctx, doc); err != nil {
		return fmt.Errorf("the experiment in %s: %w", dir, err)
	}
	nameForeign(env, "compare", filepath.Join(dir, experiment.ReportFile), f.plan.Target, f.plan.Modes)
	f.plan.OutDir, f.plan.Budget = dir, budget
	args.saves()
	return f.measure(ctx, env, doc, runs)
}

// measure runs the plan, after the runs of an earlier part of it if there are
// any, and shows the measurements, even after an error.
func (f *compareFlags) measure(ctx context.Context, env Env, doc *result.Document, runs []sample.Run) error {
	p := &f.plan
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	p.Handler = progress
	err := experiment.Run(ctx, *p, doc, runs)
	progress.Close()
	if len(doc.Runs) > 0 {
		err = errors.Join(err, report.WriteAll(p.OutDir, doc))
		if f.json {
			err = errors.Join(err, printFile(env, filepath.Join(p.OutDir, report.JSON)))
		} else {
			err = errors.Join(err, report.Table(env.Stdout, doc, p.OutDir, termtext.StyleOf(env.Stdout)))
		}
	}
	if errors.Is(err, experiment.ErrInterrupted) && len(doc.Runs) > 0 {
		return fmt.Errorf("interrupted; the measurements are kept; continue with: %s", experiment.ResumeCommand("compare", p.OutDir))
	}
	return err
}
