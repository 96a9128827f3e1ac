package cli

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/internal/aa"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/report"
)

var aaCommand = command{
	name:  "aa",
	args:  "[flags] PACKAGES | -main PACKAGE [-- args] | -- PROGRAM args",
	short: "measure a mode against itself: how far can this machine be trusted",
	long: `
Compares the target with itself, many times, exactly as compare does. Whatever
it claims is false, so the share of claims is the false-claim rate. It also says
how large the noise floor δ is and the smallest effect that this machine can
see in a given time.

Each sitting runs the experiments with identical files (all arms run the same
file) and with fresh copies (each arm runs a new copy in every block, as compare
does), because where a file lies in memory changes what it costs for as long as
it lies there. -fixed adds copies that stay for an experiment: the trap that
fresh copies avoid.`,
	prepare: func(fs *flag.FlagSet) runner {
		f := &aaFlags{}
		f.register(fs)
		return f.run
	},
}

type aaFlags struct {
	targetFlags
	mode, out   string
	sittings    int
	experiments int
	blocks      int
	runTime     time.Duration
	budget      time.Duration
	seed        uint64
	fixed       bool
}

func (f *aaFlags) register(fs *flag.FlagSet) {
	f.targetFlags.register(fs)
	fs.StringVar(&f.mode, "mode", "default", "compare this `MODE` with itself")
	fs.StringVar(&f.out, "o", "heapwright-out/aa", "write all experiments and aa.json to `DIR`")
	fs.IntVar(&f.sittings, "sittings", 3, "repeat everything `N` times, with files written anew")
	fs.IntVar(&f.experiments, "experiments", 2, "run `N` experiments of each kind in a sitting")
	fs.IntVar(&f.blocks, "blocks", 0, "run at most `N` blocks an experiment (default: the last look, 40)")
	runTimeFlag(fs, &f.runTime, 50*time.Millisecond)
	fs.DurationVar(&f.budget, "budget", experiment.DefaultBudget, "of each experiment")
	seedFlag(fs, &f.seed)
	fs.BoolVar(&f.fixed, "fixed", false, "also with copies that stay for a whole experiment")
}

func (f *aaFlags) run(ctx context.Context, env Env, args arguments) error {
	target, err := f.target(args)
	if err != nil {
		return err
	}
	dir, err := folder(f.dir)
	if err != nil {
		return err
	}
	modes, err := mode.Parse(f.mode)
	if err != nil {
		return usageError{err}
	}
	if len(modes) != 1 {
		return usagef("-mode takes one mode, which is compared with itself")
	}
	if f.sittings < 1 || f.experiments < 1 {
		return usagef("-sittings and -experiments must be at least 1")
	}
	f.seed = drawn(f.seed)
	places := []experiment.Placement{experiment.Same, experiment.Fresh}
	if f.fixed {
		places = append(places, experiment.Fixed)
	}
	sum := aa.NewSummary(places)
	each := f.experiments * len(places) // of a sitting
	for n := range f.sittings * each {
		sitting, place := n/each, places[n%len(places)]
		fmt.Fprintf(env.Stderr, "experiment %d of %d: sitting %d, %s\n", n+1, f.sittings*each, sitting+1, aa.PlaceName(place))
		doc := args.document(f.seed + uint64(n+1))
		progress := report.Progress(env.Stderr)
		err := experiment.Run(ctx, experiment.Plan{
			Target: target, Modes: modes, Again: []string{"again"}, Place: place,
			Dir: dir, OutDir: filepath.Join(f.out, fmt.Sprintf("%03d", n+1)), Handler: progress,
			Blocks: f.blocks, RunTime: f.runTime, Budget: f.budget, Seed: doc.Seed,
		}, doc, nil)
		progress.Close()
		if err != nil {
			if sum.Experiments() > 0 {
				sum.Print(env.Stdout)
			}
			return err
		}
		sum.Add(place, sitting, doc)
		if err := sum.Save(filepath.Join(f.out, "aa.json")); err != nil {
			return err
		}
	}
	sum.Print(env.Stdout)
	return nil
}
