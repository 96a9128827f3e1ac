package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/heapwright/heapwright/gctune"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/tune"
	"github.com/heapwright/heapwright/internal/tune/view"
)

var tuneCommand = command{
	name:  "tune",
	args:  "[flags] PACKAGES | -main PACKAGE [-- args] | -url URL -- PROGRAM args",
	short: "find out what to change, prove it, and show the gain",
	long: `
Tune profiles the target to find where CPU time and memory go and how much could be
saved. Then it measures the modes that the profile suggests and that need no change
of the code: a newer Go, another collector, GOGC, a heap floor. It combines the
modes that are proven better and names the lines of code to change next.

  heapwright tune ./...
  heapwright tune -main ./cmd/import -max-rss 512MiB -- -file big.csv
  heapwright tune ./... -bench Decode -core-hour 0.04 -gib-hour 0.0044 -instances 200
  heapwright tune -main ./cmd/server -url http://127.0.0.1:{port}/ -- -addr 127.0.0.1:{port}

The output has the answer in a few sentences, then the reasons and lines to paste.
If there is little to gain, tune says so and stops early. Ctrl-C loses only the
block in progress; -resume continues.`,
	prepare: func(fs *flagSet) runner {
		f := &tuneFlags{}
		f.register(fs)
		return f.run
	},
}

type tuneFlags struct {
	targetFlags
	plan   tune.Plan
	resume bool
	json   bool
}

func (f *tuneFlags) register(fs *flagSet) {
	f.targetFlags.register(fs)
	p := &f.plan
	outFlag(fs, &p.OutDir)
	fs.experiment.common.Func("budget", "take about `TIME` in total, not counting builds (default: 5m, for a server 30m)", func(s string) (err error) {
		if p.Budget, err = time.ParseDuration(s); err == nil && p.Budget <= 0 {
			err = errors.New("give some time; 2m is the least that decides anything")
		}
		return err
	})
	fs.experiment.rare.DurationVar(&p.RunTime, "run-time", 0, "aim at `TIME` for each timed run of a benchmark (default: 200ms)")
	seedFlag(fs, &p.Seed)
	fs.experiment.common.Func("max-rss", "reject modes whose peak memory exceeds `SIZE` (default: the container's limit, else 1.5× the present peak, and at least 64MiB above it)", func(s string) error {
		n, err := gctune.ParseSize(s)
		if err == nil && n <= 0 {
			err = errors.New("give a size above 0")
		}
		p.MaxRSS = float64(n)
		return err
	})
	rateFlag(fs, &p.Prices.CPU, "core-hour", "`COST` of a core (a vCPU) for an hour; with -gib-hour, the price at which CPU is exchanged for memory (default: a core costs as much as 9.1 GiB, as on AWS Fargate)")
	rateFlag(fs, &p.Prices.GiB, "gib-hour", "`COST` of a GiB of memory for an hour")
	fs.prices.rare.Float64Var(&p.Prices.Instances, "instances", 0, "report the monthly saving of `N` instances")
	modulesFlag(fs, &p.Modules)
	productionFlag(fs, &p.Production)
	jsonFlag(fs, &f.json)
	traceFlag(fs, &p.Trace)
	fs.experiment.common.BoolVar(&f.resume, "resume", false, "continue the interrupted tuning in the output folder")
}

// hoursPerMonth is a year of 365 days over twelve: bills are read by the month.
const hoursPerMonth = 730

// rateFlag reads the cost of an hour and stores the cost of a month.
func rateFlag(fs *flagSet, month *float64, name, usage string) {
	fs.prices.rare.Func(name, usage, func(s string) error {
		hour, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return errors.New("give a number, as in 0.04")
		}
		*month = hour * hoursPerMonth
		return nil
	})
}

func (f *tuneFlags) run(ctx context.Context, env Env, args arguments) (err error) {
	p := &f.plan
	if f.resume {
		return f.goOn(ctx, env, args)
	}
	if note := f.fit(p.Budget); note != "" {
		fmt.Fprintf(env.Stderr, "heapwright tune: note: %s\n", note)
	}
	if p.Target, err = f.target(ctx, args); err != nil {
		return err
	}
	if p.Dir, err = folder(f.dir); err != nil {
		return err
	}
	if err := p.Check(); err != nil {
		return usageError{err}
	}
	release, err := args.claim(env, p.OutDir)
	if err != nil {
		return err
	}
	defer release()
	var done func()
	if p.Production, done, err = productionOf(ctx, env, "tune", p.Production); err != nil {
		return err
	}
	defer done()
	p.Seed = drawn(p.Seed)
	return f.tune(ctx, env, args)
}

// goOn takes the plan from the tuning that was cut short, so that nothing need
// be typed again. Only the budget may be given again.
func (f *tuneFlags) goOn(ctx context.Context, env Env, args arguments) (err error) {
	dir, budget := f.plan.OutDir, f.plan.Budget
	release, err := args.resumes(env, dir)
	if err != nil {
		return err
	}
	defer release()
	file := (&view.Folder{Dir: dir}).Document()
	if f.plan, err = tune.Resume(ctx, file); err != nil {
		return err
	}
	nameForeign(env, "tune", file, f.plan.Target, nil) // the modes are its own
	f.plan.OutDir, f.plan.Budget, f.plan.Longer = dir, cmp.Or(budget, f.plan.Budget), budget > 0
	args.typed, args.dir = f.plan.Before.Command, f.plan.Before.Dir
	return f.tune(ctx, env, args)
}

func (f *tuneFlags) tune(ctx context.Context, env Env, args arguments) error {
	p := &f.plan
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	kept := &view.Folder{Dir: p.OutDir, Resumed: p.Before != nil}
	p.Handler, p.Save = progress, kept.Save
	p.NewDocument = func() *result.Document { return args.document(p.Seed) }
	args.saves()
	doc, err := tune.Run(ctx, *p)
	progress.Close()
	if doc == nil {
		return err
	}
	if errors.Is(err, experiment.ErrInterrupted) {
		err = fmt.Errorf("interrupted; the measurements are kept; continue with: %s", experiment.ResumeCommand("tune", p.OutDir))
	}
	err = errors.Join(err, kept.Save(doc))
	if f.json {
		return errors.Join(err, printFile(env, kept.Document()))
	}
	return errors.Join(err, view.Text(env.Stdout, doc, kept.Page()))
}
