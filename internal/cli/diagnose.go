package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/collect"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/report"
)

var diagnoseCommand = command{
	name:  "diagnose",
	args:  "[flags] SOURCE… | -main PACKAGE [-url URL] [-- args]",
	short: "find the lines that cost CPU and memory, and the saving of changing them",
	long: `
Diagnose reads profiles of a Go program and lists the changes worth making, each with
its line, reason, remedy, risk, confidence and a range for the saving. Then it shows
where CPU time and memory go.

  heapwright diagnose cpu.pprof heap.pprof
  heapwright diagnose heap-09h.pb.gz heap-10h.pb.gz heap-11h.pb.gz
  curl -s http://localhost:6060/debug/pprof/heap | heapwright diagnose -
  heapwright diagnose collected/
  heapwright diagnose http://localhost:6060
  heapwright diagnose https://api.example.org -token-file token -duration 1m
  heapwright diagnose serve+http://127.0.0.1:7070 -service checkout -last 1h
  heapwright diagnose pyroscope+http://127.0.0.1:4040 -service checkout -last 1h
  heapwright diagnose ./internal/codec -bench Decode -profile prod-cpu.pb.gz
  heapwright diagnose -main ./cmd/import -- -file big.csv
  heapwright diagnose -main ./cmd/api -url http://127.0.0.1:{port}/v1/items -- -addr 127.0.0.1:{port}

A SOURCE is a pprof file, - for a profile on standard input, a folder of profiles
such as collect writes, the URL of a live service, or Go packages, whose benchmarks
diagnose then runs and profiles. With -main, it runs a command until it ends; with
-url, it runs a server under load. A profile's kind is read from its contents, not
from its name. Give the heap and CPU profiles of one program together. Heap profiles
taken at several times distinguish a leak from churn. If diagnose runs the target,
it also measures the target with GC off, under a memory limit.

Run diagnose in the folder of the program's module, or name that folder with -C. If
the source is there, findings include the compiler's reason for each allocation on
the heap. A cost in a dependency is reported at the line that calls it, followed by
the dependency's lines; -modules reports it at the dependency's lines instead.

Exit codes: 0 success, with or without findings; 1 failure; 2 the command line is
wrong; 3 a finding is larger than -fail-over.`,
	prepare: func(fs *flagSet) runner {
		f := &diagnoseFlags{}
		f.register(fs)
		return f.run
	},
}

// diagnoseFlags are the flags of diagnose.
type diagnoseFlags struct {
	targetFlags
	out      string
	json     bool
	maxBytes int64
	budget   time.Duration
	price    bool
	failOver float64 // share; below 0 is never
	modules  string

	production []string
	service    collectFlags
	remote     remote
}

func (f *diagnoseFlags) register(fs *flagSet) {
	f.targetFlags.register(fs)
	fs.output.common.StringVar(&f.out, "o", "heapwright-out", "write diagnosis.txt, .json and .html to `DIR`, and rss.pb.gz for a service whose resident memory is known")
	jsonFlag(fs, &f.json)
	fs.experiment.common.DurationVar(&f.budget, "budget", diagnose.DefaultBudget, "take about `TIME` to run and profile a target")
	f.service.plan.GC = collect.IfStale
	gcFlag(fs, &f.service.plan.GC, "before each of a heap up to 32 MiB, and before three of ten up to 128 MiB if none ran meanwhile; -gc=false: never")
	fs.service.common.DurationVar(&f.service.plan.Duration, "duration", 0, "record a live service for `TIME`; without it, for 30s, "+
		"and once more, for a minute at most, if that will probably decide whether its memory or its goroutines grow")
	f.service.registerAccess(fs)
	f.remote.register(fs)
	modulesFlag(fs, &f.modules)
	productionFlag(fs, &f.production)
	maxBytesFlag(fs, &f.maxBytes, "reject profiles")
	f.failOver = -1
	fs.experiment.common.BoolVar(&f.price, "price", false, "of a target that is run: also measure the cost of the "+
		"first ten findings' lines, by executing their allocations more often (2m more)")
	fs.output.common.Func("fail-over", "exit with 3 if a finding could save more than `SHARE` of CPU or of the live heap, as in 5%", func(s string) (err error) {
		f.failOver, err = parseShare(s)
		return err
	})
}

// parseShare reads "5%" or "0.05".
func parseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, errors.New("write a share such as 5%")
	}
	return v, nil
}

func (f *diagnoseFlags) run(ctx context.Context, env Env, args arguments) error {
	if f.main == "" && f.loadFlags.given() {
		return usagef("a server is profiled by code that is linked into it; give its package with -main, or the URL of one that runs as SOURCE")
	}
	if f.main == "" && (len(args.names) == 0 || args.after != nil) {
		return usagef("give profiles, a folder of them, packages, or -main PACKAGE; see heapwright diagnose -h")
	}
	dir, err := folder(f.dir)
	if err != nil {
		return err
	}
	if err := f.service.credentials(env.opener(ctx, "diagnose")); err != nil {
		return usageError{err}
	}
	release, err := args.claim(env, f.out)
	if err != nil {
		return err
	}
	defer release()
	sources, done, err := f.remote.fetch(ctx, args.names, f.service.plan.Access.Token)
	if err != nil {
		return err
	}
	defer done()
	of := f.remote.named
	production, productionDone, err := f.remote.files(ctx, f.production, f.service.plan.Access.Token)
	if err != nil {
		return err
	}
	defer productionDone()
	keepBelow(f.maxBytes)
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	f.service.plan.Tool, f.service.plan.Dir = version(), filepath.Join(f.out, "profiles")
	plan := diagnose.Plan{
		Price: f.price, Production: production,
		Service: f.service.plan,
		Sources: sources, Bench: f.bench, Dir: dir, Modules: f.modules, MaxBytes: f.maxBytes, Budget: f.budget, Handler: progress,
		Open: env.opener(ctx, "diagnose").Open,
	}
	if f.main != "" {
		if plan.Target, err = f.target(ctx, args); err != nil {
			return err
		}
	}
	doc, err := diagnose.Run(ctx, plan)
	progress.Close()
	if doc == nil {
		return err
	}
	args.saves()
	doc.Tool, doc.Command = version(), args.typed
	if of != nil {
		doc.Target = strings.Join(of, ", ")
	}
	// Of an interrupted control run the diagnosis is there, and is kept.
	if err := errors.Join(err, f.write(env, doc)); err != nil {
		return err
	}
	return f.judge(env, doc)
}

// write writes the files and prints one of them, even if they cannot be written.
func (f *diagnoseFlags) write(env Env, doc *diagnose.Document) error {
	err := view.Save(f.out, doc)
	if f.json {
		return errors.Join(err, view.JSON(env.Stdout, doc))
	}
	return errors.Join(err, view.Text(env.Stdout, doc))
}

// judge reports whether a finding is larger than allowed.
func (f *diagnoseFlags) judge(env Env, doc *diagnose.Document) error {
	if f.failOver < 0 || len(doc.Findings) == 0 || doc.Findings[0].Ceiling() <= f.failOver {
		return nil
	}
	fmt.Fprintf(env.Stderr, "heapwright diagnose: %s -fail-over\n", view.Excess(&doc.Findings[0], f.failOver))
	return errFound
}
