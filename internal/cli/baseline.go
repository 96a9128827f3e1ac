package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/result"
)

var baselineCommand = command{
	name:  "baseline",
	args:  "[flags] PACKAGES",
	short: "store what benchmarks allocate, for gate -against",
	long: `
Measures the benchmarks of the work tree a few times and stores the report. Keep
it in the repository: "heapwright gate -against FILE" then holds bytes and
allocations against it, on any machine of the same architecture, without
building an older revision.

  heapwright baseline -o testdata/bench.json ./...`,
	prepare: func(fs *flag.FlagSet) runner {
		f := &gateFlags{}
		f.registerPackages(fs)
		fs.StringVar(&f.out, "o", "heapwright-baseline.json", "write the report to `FILE`")
		budgetFlag(fs, &f.budget)
		runTimeFlag(fs, &f.runTime, gateRunTime)
		return f.store
	},
}

func (f *gateFlags) store(ctx context.Context, env Env, args arguments) error {
	if args.after != nil || len(args.names) == 0 {
		return usagef("give the Go packages whose benchmarks are to be stored, as in ./...")
	}
	dir, err := folder(f.dir)
	if err != nil {
		return err
	}
	if err := makeRoomFor(f.out, "-o"); err != nil {
		return err
	}
	doc := args.document(drawn(0))
	scratch, err := os.MkdirTemp("", "heapwright-")
	if err != nil {
		return fmt.Errorf("making a scratch folder: %w", err)
	}
	defer os.RemoveAll(scratch)
	plan := experiment.Plan{
		Target: &experiment.Packages{Names: args.names, Bench: f.bench}, Dir: dir, OutDir: scratch,
		Budget: f.budget, RunTime: f.runTime, Seed: doc.Seed,
	}
	alone(&plan)
	if err := measure(ctx, env, plan, doc, nil); err != nil {
		return err
	}
	if err := result.Save(f.out, gate.Stored(doc)); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "stored %d benchmarks in %s\n", len(doc.Benchmarks), filepath.ToSlash(f.out))
	return nil
}
