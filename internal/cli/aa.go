package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/internal/aa"
	"github.com/heapwright/heapwright/internal/aa/view"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
)

var aaCommand = command{
	name:  "aa",
	args:  "[flags] PACKAGES | -main PACKAGE [-- args] | -- PROGRAM args",
	short: "compare a mode with itself, to find out how far to trust this machine",
	long: `
Aa compares the target with itself many times, exactly as compare does. Every
difference that it claims is false, so the share of claims is the false-claim rate.
It also reports the noise floor δ and the smallest effect that this machine can
detect in a given time.

Each sitting runs two kinds of experiments. With identical files, all arms run
the same file. With fresh copies, each arm runs a new copy in every block, as in
compare. The two differ because the place of a file in memory affects its speed,
for as long as the file stays there. -fixed adds a third kind, whose copies stay in
place for a whole experiment.

Without flags, 12 experiments take up to an hour in all.`,
	prepare: func(fs *flagSet) runner {
		f := &aaFlags{}
		f.register(fs)
		return f.run
	},
}

type aaFlags struct {
	targetFlags
	plan aa.Plan
	mode string
	json bool
}

func (f *aaFlags) register(fs *flagSet) {
	f.targetFlags.register(fs)
	p, x := &f.plan, &f.plan.Experiment
	fs.experiment.common.StringVar(&f.mode, "mode", "default", "compare this `MODE` with itself")
	fs.output.common.StringVar(&x.OutDir, "o", "heapwright-out/aa", "write all experiments and aa.json to `DIR`")
	fs.experiment.rare.IntVar(&p.Sittings, "sittings", 3, "repeat all experiments `N` times, each time with newly written files")
	fs.experiment.rare.IntVar(&p.Experiments, "experiments", 2, "run `N` experiments of each kind in a sitting")
	fs.experiment.rare.IntVar(&x.Blocks, "blocks", 0, "run at most `N` blocks in each experiment (default 40)")
	runTimeFlag(fs, &x.RunTime, 50*time.Millisecond)
	fs.experiment.common.DurationVar(&x.Budget, "budget", experiment.DefaultBudget, "in each experiment, start no block that would end after `TIME`, not counting builds")
	seedFlag(fs, &x.Seed)
	jsonFlag(fs, &f.json)
	fs.experiment.rare.BoolVar(&p.Fixed, "fixed", false, "also run experiments whose copies stay in place")
}

func (f *aaFlags) run(ctx context.Context, env Env, args arguments) (err error) {
	p, x := &f.plan, &f.plan.Experiment
	if x.Target, err = f.target(ctx, args); err != nil {
		return err
	}
	if x.Dir, err = folder(f.dir); err != nil {
		return err
	}
	if x.Modes, err = mode.Parse(f.mode); err != nil {
		return usageError{err}
	}
	if len(x.Modes) != 1 {
		return usagef("-mode takes one mode, which is compared with itself")
	}
	if p.Sittings < 1 || p.Experiments < 1 {
		return usagef("-sittings and -experiments must be at least 1")
	}
	x.Seed = drawn(x.Seed)
	p.NewDocument = args.document
	p.Watch = func(title string) (result.Handler, func()) {
		fmt.Fprintln(env.Stderr, title)
		progress := report.Progress(env.Stderr)
		return progress, func() { progress.Close() }
	}
	if budget, n := cmp.Or(x.Budget, experiment.DefaultBudget), p.Count(); n > 1 {
		fmt.Fprintf(env.Stderr, "%d experiments of at most %v each: at most %v in all, and the time for building; -sittings, -experiments and -budget shorten it\n",
			n, budget, time.Duration(n)*budget)
	}
	release, err := args.claim(env, x.OutDir)
	if err != nil {
		return err
	}
	defer release()
	args.saves()
	sum, err := aa.Run(ctx, *p)
	if sum.Experiments() > 0 {
		if f.json {
			return errors.Join(err, printFile(env, filepath.Join(x.OutDir, "aa.json")))
		}
		view.Text(env.Stdout, sum)
	}
	return err
}
