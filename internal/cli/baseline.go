package cli

import (
	"context"

	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/gate/view"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
)

var baselineCommand = command{
	name:  "baseline",
	args:  "[flags] PACKAGES",
	short: "store the bytes and allocations of benchmarks, for gate -against",
	long: `
Baseline runs the benchmarks of the work tree a few times and stores the report,
which you keep in the repository. "heapwright gate -against FILE" then compares bytes
and allocations with the report, on any machine of the same architecture, without
building an older revision.

  heapwright baseline -o testdata/bench.json ./...`,
	prepare: func(fs *flagSet) runner {
		f := &gateFlags{}
		f.registerPackages(fs)
		out := fs.output.common.String("o", "heapwright-baseline.json", "write the report to `FILE`")
		budgetFlag(fs, &f.plan.Budget)
		runTimeFlag(fs, &f.plan.RunTime, gate.DefaultRunTime)
		return func(ctx context.Context, env Env, args arguments) error { return f.store(ctx, env, args, *out) }
	},
}

func (f *gateFlags) store(ctx context.Context, env Env, args arguments, file string) error {
	p := &f.plan
	if err := f.packages(args, "stored"); err != nil {
		return err
	}
	if err := roomFor(file, "-o"); err != nil {
		return err
	}
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	p.Seed, p.Handler = drawn(0), progress
	doc := args.document(p.Seed)
	args.saves()
	if err := gate.Measure(ctx, *p, doc); err != nil {
		return err
	}
	progress.Close()
	if err := result.Save(file, gate.Stored(doc)); err != nil {
		return err
	}
	if f.json {
		return printFile(env, file)
	}
	return view.Stored(env.Stdout, doc, file)
}
