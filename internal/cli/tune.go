package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/gctune"
	diagnosis "github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/tune"
	"github.com/heapwright/heapwright/internal/tune/view"
)

var tuneCommand = command{
	name:  "tune",
	args:  "[flags] PACKAGES | -main PACKAGE [-- args] | -url URL -- PROGRAM args",
	short: "find out what to change, prove it, and say what it gains: the whole loop on one target",
	long: `
Profiles the target, says where CPU and memory go and what allocating less could
save at most; measures the modes that need no code and can matter by that
evidence (a newer Go, the collector, GOGC, a heap floor) by the method of compare;
combines those that are proven better; and names the lines of code that come next.

  heapwright tune ./workloads/stackstore
  heapwright tune -main ./cmd/import -max-rss 512MiB -- -file big.csv
  heapwright tune ./... -bench Decode -price-cpu 25 -price-gib 3 -instances 200
  heapwright tune -main ./cmd/server -url http://127.0.0.1:{port}/ -- -addr 127.0.0.1:{port}

The answer is one sentence, then the reasons, then lines to paste. Where little is
to be gained it says so and stops early. Ctrl-C loses nothing: -resume goes on.`,
	prepare: func(fs *flag.FlagSet) runner {
		f := &tuneFlags{}
		f.register(fs)
		return f.run
	},
}

type tuneFlags struct {
	targetFlags
	plan   tune.Plan
	out    string
	resume bool
}

func (f *tuneFlags) register(fs *flag.FlagSet) {
	f.targetFlags.register(fs)
	p := &f.plan
	outFlag(fs, &f.out)
	fs.Func("budget", "take about this `LONG` in all; building comes on top (default: 5m, of a server 30m)", func(s string) (err error) {
		if p.Budget, err = time.ParseDuration(s); err == nil && p.Budget <= 0 {
			err = errors.New("give some time; 2m is the least that decides anything")
		}
		return err
	})
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
	fs.BoolVar(&f.resume, "resume", false, "go on with the tuning that was cut short in the output folder")
}

// goOn takes the command line from the tuning that was cut short, so that it
// need not be typed again. Only the budget may be given anew.
func (f *tuneFlags) goOn(ctx context.Context, env Env, args arguments) error {
	if err := args.resumes(f.out); err != nil {
		return err
	}
	before, err := tune.Load(filepath.Join(f.out, "tune.json"))
	if err != nil {
		return err
	}
	old := &tuneFlags{}
	fs := flag.NewFlagSet("tune", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	old.register(fs)
	if len(before.Command) == 0 {
		return fmt.Errorf("%s does not hold how the tuning was begun; run it anew", f.out)
	}
	oldArgs, err := parse(fs, before.Command[1:])
	if err != nil {
		return fmt.Errorf("the command recorded in %s: %w", f.out, err)
	}
	old.out, old.resume, old.plan.Before = f.out, false, before
	old.plan.Budget, old.plan.Longer = cmp.Or(f.plan.Budget, old.plan.Budget), f.plan.Budget > 0
	old.from(before.Dir)
	oldArgs.typed, oldArgs.dir = before.Command, before.Dir
	return old.run(ctx, env, oldArgs)
}

func (f *tuneFlags) run(ctx context.Context, env Env, args arguments) error {
	p := &f.plan
	if f.resume {
		return f.goOn(ctx, env, args)
	}
	target, err := f.target(args)
	if err != nil {
		return err
	}
	if p.Dir, err = folder(f.dir); err != nil {
		return err
	}
	for _, v := range []float64{p.Prices.CPU, p.Prices.GiB, p.Prices.Instances} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return usagef("a price and a number of instances are finite and cannot be negative")
		}
	}
	switch priced := p.Prices.CPU != 0 || p.Prices.GiB != 0; {
	case priced && p.Prices.Instances == 0:
		return usagef("a price alone tells no saving; give the number of -instances as well")
	case !priced && p.Prices.Instances != 0:
		return usagef("-instances tells no saving without a price; give -price-cpu, -price-gib or both")
	}
	if err := makeRoom(f.out, "-o"); err != nil {
		return err
	}
	p.Seed = drawn(p.Seed)
	if limit, ok := probe.ContainerLimit(); ok {
		p.Limit = float64(limit)
	}
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	p.Target, p.OutDir, p.Handler = target, f.out, progress
	p.NewDocument = func() *result.Document { return args.document(p.Seed) }
	fresh := p.Before == nil
	p.Save = func(doc *tune.Document) error {
		if fresh { // of what an earlier tuning left in the folder nothing may pass for this one's
			fresh = false
			if err := removeComparisons(f.out); err != nil {
				return err
			}
		}
		doc.Tool, doc.Command, doc.Dir = version(), args.typed, args.dir
		return f.files(doc)
	}
	doc, err := tune.Run(ctx, *p)
	progress.Close()
	if doc == nil {
		return err
	}
	if errors.Is(err, experiment.ErrInterrupted) {
		err = fmt.Errorf("interrupted; what was measured is kept; go on with: heapwright tune -resume -o %s", f.out)
		doc.Notes = append(doc.Notes, "it was interrupted: this is what was known until then")
	}
	return errors.Join(err, p.Save(doc), view.Text(env.Stdout, doc, filepath.Join(f.out, "tune.html")))
}

// removeComparisons removes what the comparisons of an earlier tuning left in a
// folder. What compare left there without one stays.
func removeComparisons(out string) error {
	if _, err := os.Stat(filepath.Join(out, "tune.json")); err != nil {
		return nil
	}
	final := filepath.Join(out, "final")
	for _, dir := range []string{final, out} {
		err := os.Remove(filepath.Join(dir, experiment.ResultsFile))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		if err = errors.Join(err, report.Remove(dir)); err != nil {
			return fmt.Errorf("cannot remove an earlier report: %w; give another folder with -o", err)
		}
	}
	os.Remove(final) // fails while something else is in it, as it should
	return nil
}

// files writes all views.
func (f *tuneFlags) files(doc *tune.Document) error {
	views := map[string]func(io.Writer) error{
		"tune.json": func(w io.Writer) error { return view.JSON(w, doc) },
		"tune.txt":  func(w io.Writer) error { return view.Text(w, doc, "") },
		"tune.html": func(w io.Writer) error { return view.HTML(w, doc) },
	}
	if f.plan.Before == nil { // else they are there, with the flame graphs
		views["diagnosis.json"] = func(w io.Writer) error { return diagnosis.JSON(w, doc.Diagnosis) }
		views["diagnosis.html"] = func(w io.Writer) error { return diagnosis.HTML(w, doc.Diagnosis) }
	}
	err := writeFiles(f.out, views)
	if doc.Modes != nil {
		err = errors.Join(err, report.WriteAll(f.out, doc.Modes))
	}
	if doc.Final != nil {
		err = errors.Join(err, report.WriteAll(filepath.Join(f.out, "final"), doc.Final))
	}
	return err
}
