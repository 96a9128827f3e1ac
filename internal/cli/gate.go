package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/gate/view"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

var gateCommand = command{
	name:  "gate",
	args:  "[flags] PACKAGES",
	short: "fail if a change makes benchmarks worse than a budget allows",
	long: `
Gate runs the benchmarks of the work tree, or of -head, interleaved with those of
-base. It fails (exit code 3) if the CPU time, bytes, allocations or peak memory of
a benchmark grew by more than the budget, by default 5%. The whole confidence
interval must lie beyond the budget. If it extends to both sides, the outcome is
inconclusive, and gate reports how many more blocks would decide; -strict fails on
that too. If everything is inconclusive, nothing has passed, and the exit code is 4.
If a benchmark exceeds the budget, gate profiles both sides and names the lines that
grew.

  heapwright gate -base main ./internal/...
  heapwright gate -base main -limits limits.toml -markdown comment.md ./...
  heapwright baseline -o bench.json ./... && heapwright gate -against bench.json ./...

With -against, gate compares with a report of "heapwright baseline" instead of a
revision. It then compares only bytes and allocations, because CPU time and peak
memory differ between machines and between days.

Format of the -limits file (every part is optional):

  [budget."B/op"]            # or "allocs/op", "cpu-sec/op", "peak-RSS-bytes",
                             # "sec/op", or a unit that your benchmarks report
  grow  = "3%"               # "off" ignores the metric
  floor = 64                 # an increase of at most 64 bytes never fails

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
	prepare: func(fs *flagSet) runner {
		f := &gateFlags{}
		f.register(fs)
		return f.run
	},
}

type gateFlags struct {
	plan                gate.Plan
	dir                 string
	markdown, junit     string
	annotations, strict bool
	json                bool
}

func (f *gateFlags) register(fs *flagSet) {
	f.registerPackages(fs)
	fs.comparison.common.StringVar(&f.plan.Base, "base", "HEAD", "compare with git `REVISION`")
	fs.comparison.rare.StringVar(&f.plan.Head, "head", "", "measure git `REVISION` instead of the work tree")
	fs.comparison.common.StringVar(&f.plan.Against, "against", "", "compare with the report in `FILE` instead of a revision")
	fs.comparison.common.StringVar(&f.plan.Limits, "limits", "", "read the budget of each metric from a TOML `FILE`")
	outFlag(fs, &f.plan.OutDir)
	fs.output.rare.StringVar(&f.markdown, "markdown", "", "also write a pull-request comment to `FILE`")
	fs.output.rare.StringVar(&f.junit, "junit", "", "also write JUnit XML to `FILE`")
	fs.output.rare.BoolVar(&f.annotations, "annotations", os.Getenv("GITHUB_ACTIONS") == "true", "print annotations for GitHub Actions (default: if it runs there)")
	fs.comparison.rare.BoolVar(&f.strict, "strict", false, "also fail on inconclusive outcomes")
	blocksFlag(fs, &f.plan.Blocks)
	budgetFlag(fs, &f.plan.Budget)
	runTimeFlag(fs, &f.plan.RunTime, gate.DefaultRunTime)
	seedFlag(fs, &f.plan.Seed)
}

// registerPackages registers the flags that choose the benchmarks.
func (f *gateFlags) registerPackages(fs *flagSet) {
	folderFlags(fs, &f.dir)
	benchFlag(fs, &f.plan.Bench)
	jsonFlag(fs, &f.json)
}

func (f *gateFlags) run(ctx context.Context, env Env, args arguments) error {
	p := &f.plan
	if err := f.packages(args, "compared"); err != nil {
		return err
	}
	for _, name := range args.flags {
		if p.Against != "" && slices.Contains([]string{"base", "head", "blocks"}, name) {
			return usagef("-against and -%s exclude each other: the work tree is run %d times and compared with the stored report", name, gate.StoredBlocks)
		}
	}
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	p.Seed, p.Handler = drawn(p.Seed), progress
	g, err := gate.New(ctx, *p)
	if err != nil {
		return usageError{err}
	}
	for _, view := range []struct{ flag, file string }{{"-markdown", f.markdown}, {"-junit", f.junit}} {
		if view.file == "" {
			continue
		}
		if err := roomFor(view.file, view.flag); err != nil {
			return err
		}
	}
	release, err := args.claim(env, p.OutDir)
	if err != nil {
		return err
	}
	defer release()
	doc := args.document(p.Seed)
	args.saves()
	r, err := g.Run(ctx, doc)
	progress.Close()
	if len(doc.Runs) > 0 {
		err = errors.Join(err, report.WriteAll(p.OutDir, doc))
	}
	if err != nil {
		return err
	}
	return f.show(env, r)
}

// packages takes the packages whose benchmarks are to be held, or stored.
func (f *gateFlags) packages(args arguments, to string) (err error) {
	if args.after != nil || len(args.names) == 0 {
		return usagef("benchmarks are %s, not programs: give the Go packages that have them, as in ./...", to)
	}
	f.plan.Packages = args.names
	f.plan.Dir, err = folder(f.dir)
	return err
}

// show writes the result in every form that was asked for.
func (f *gateFlags) show(env Env, r *gate.Result) error {
	var err error
	if !f.json {
		err = view.Text(env.Stdout, r, f.strict, termtext.StyleOf(env.Stdout))
	}
	for _, view := range []struct {
		file  string
		write func(io.Writer, *gate.Result, bool) error
	}{{filepath.Join(f.plan.OutDir, "gate.json"), view.JSON}, {f.markdown, view.Markdown}, {f.junit, view.JUnit}} {
		if view.file != "" {
			err = errors.Join(err, result.Replace(view.file, func(w io.Writer) error { return view.write(w, r, f.strict) }))
		}
	}
	if f.json {
		err = errors.Join(err, view.JSON(env.Stdout, r, f.strict))
	} else if f.annotations {
		err = errors.Join(err, view.Annotations(env.Stdout, r, f.strict))
	}
	switch why := view.Undecided(r); {
	case err != nil:
		return err
	case r.Failed(f.strict):
		return errFound
	case why != "":
		return incompleteError{errors.New("nothing was decided: " + why)}
	}
	return nil
}
