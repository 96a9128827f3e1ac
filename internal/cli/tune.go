package cli

import (
	"context"
	"errors"
	"flag"
	"io"
	"path/filepath"

	"github.com/heapwright/heapwright/gctune"
	diagnosis "github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/tune"
	"github.com/heapwright/heapwright/internal/tune/view"
)

var tuneCommand = command{
	name:  "tune",
	args:  "[flags] PACKAGES | -main PACKAGE [-- args]",
	short: "find out what to change, prove it, and say what it gains: the whole loop on one target",
	long: `
Profiles the target, says where CPU and memory go and what allocating less could
save at most; measures the modes that need no code and can matter by that
evidence (a newer Go, the collector, GOGC, a heap floor) by the method of compare;
combines those that are proven better; and names the lines of code that come next.

  heapwright tune ./workloads/stackstore
  heapwright tune -main ./cmd/import -max-rss 512MiB -- -file big.csv
  heapwright tune ./... -bench Decode -price-cpu 25 -price-gib 3 -instances 200

The answer is one sentence, then the reasons, then lines to paste. Where little is
to be gained it says so and stops early.`,
	prepare: func(fs *flag.FlagSet) runner {
		f := &tuneFlags{}
		f.register(fs)
		return f.run
	},
}

type tuneFlags struct {
	targetFlags
	plan tune.Plan
	out  string
}

func (f *tuneFlags) register(fs *flag.FlagSet) {
	f.targetFlags.register(fs)
	p := &f.plan
	outFlag(fs, &f.out)
	fs.DurationVar(&p.Budget, "budget", tune.DefaultBudget, "take about this long in all; building comes on top")
	fs.DurationVar(&p.RunTime, "run-time", 0, "aim at this long a timed run of a benchmark (default: 200ms)")
	seedFlag(fs, &p.Seed)
	fs.Func("max-rss", "recommend nothing that takes more than `SIZE` of peak memory (default: the container's limit, else half as much again as it takes now, at least 64MiB more)", func(s string) error {
		n, err := gctune.ParseSize(s)
		if err == nil && n <= 0 {
			err = errors.New("give a size above 0")
		}
		p.MaxRSS = float64(n)
		return err
	})
	fs.Float64Var(&p.Prices.CPU, "price-cpu", 0, "what a vCPU costs a `MONTH`")
	fs.Float64Var(&p.Prices.GiB, "price-gib", 0, "what a GiB of memory costs a `MONTH`")
	fs.Float64Var(&p.Prices.Instances, "instances", 0, "`N` instances are run")
}

func (f *tuneFlags) run(ctx context.Context, env Env, args arguments) error {
	p := &f.plan
	target, err := f.target(args)
	if err != nil {
		return err
	}
	if p.Dir, err = folder(f.dir); err != nil {
		return err
	}
	switch priced := p.Prices.CPU != 0 || p.Prices.GiB != 0; {
	case p.Prices.CPU < 0 || p.Prices.GiB < 0 || p.Prices.Instances < 0:
		return usagef("a price and a number of instances cannot be negative")
	case priced && p.Prices.Instances == 0:
		return usagef("a price alone tells no saving; give the number of -instances as well")
	case !priced && p.Prices.Instances != 0:
		return usagef("-instances tells no saving without a price; give -price-cpu, -price-gib or both")
	case p.Budget <= 0:
		return usagef("-budget %v: give some time; 2m is the least that decides anything", p.Budget)
	}
	p.Seed = drawn(p.Seed)
	if limit, ok := probe.ContainerLimit(); ok {
		p.Limit = float64(limit)
	}
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	p.Target, p.OutDir, p.Handler = target, f.out, progress
	p.NewDocument = args.document
	doc, err := tune.Run(ctx, *p)
	progress.Close()
	if doc == nil {
		return err
	}
	doc.Tool, doc.Command = version(), args.typed
	return errors.Join(err, f.write(env, doc))
}

// write writes all views, then prints one of them.
func (f *tuneFlags) write(env Env, doc *tune.Document) error {
	err := writeFiles(f.out, map[string]func(io.Writer) error{
		"tune.json":      func(w io.Writer) error { return view.JSON(w, doc) },
		"tune.txt":       func(w io.Writer) error { return view.Text(w, doc, "") },
		"tune.html":      func(w io.Writer) error { return view.HTML(w, doc) },
		"diagnosis.json": func(w io.Writer) error { return diagnosis.JSON(w, doc.Diagnosis) },
		"diagnosis.html": func(w io.Writer) error { return diagnosis.HTML(w, doc.Diagnosis) },
	})
	if doc.Modes != nil {
		err = errors.Join(err, report.WriteAll(f.out, doc.Modes))
	}
	if doc.Final != nil {
		err = errors.Join(err, report.WriteAll(filepath.Join(f.out, "final"), doc.Final))
	}
	return errors.Join(err, view.Text(env.Stdout, doc, filepath.Join(f.out, "tune.html")))
}
