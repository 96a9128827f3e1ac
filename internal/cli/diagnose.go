package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
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
	short: "say where CPU and memory go because of memory, what to change, and what it would save",
	long: `
Reads profiles of a Go program and says where it allocates, what becomes of that,
and what removing it would save at most, as a range; then which changes are worth
making, each with its place, reason, remedy, risk and confidence.

  heapwright diagnose cpu.pprof heap.pprof
  heapwright diagnose heap-09h.pb.gz heap-10h.pb.gz heap-11h.pb.gz
  heapwright diagnose collected/
  heapwright diagnose http://localhost:6060
  heapwright diagnose https://api.example.org -token-file token -duration 1m
  heapwright diagnose ./internal/codec -bench Decode
  heapwright diagnose -main ./cmd/import -- -file big.csv
  heapwright diagnose -main ./cmd/api -url http://127.0.0.1:{port}/v1/items -- -addr 127.0.0.1:{port}

A SOURCE is a pprof file, a folder that collect wrote or that holds such files,
the URL of a live service, or packages whose benchmarks are then run with
profiles; a main package is run as a command that ends, or with -url as a server
under load. What a profile is of is told by its contents, not by its name. Heap
and CPU profiles of one program belong together; heap profiles from different
times tell a leak from churn. A target that is run is also measured without
collections, under a memory limit.

Run it in the folder of the program's module, or name that with -C: with the source
at hand the findings say why the compiler put something on the heap.

Exit codes: 0 with or without findings; 1 it could not be done; 2 the command line
is wrong; 3 a finding is larger than -fail-over.`,
	prepare: func(fs *flag.FlagSet) runner {
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
	failOver float64 // share; below 0 is never
	service  collectFlags
}

func (f *diagnoseFlags) register(fs *flag.FlagSet) {
	f.targetFlags.register(fs)
	// One flag for how long a service is looked at, whoever started it.
	fs.Lookup("duration").Usage += fmt.Sprintf("; of a live service's URL record CPU, and count what is allocated, for this long (there %v unless given)", collect.DefaultDuration)
	fs.StringVar(&f.out, "o", "heapwright-out", "write diagnosis.txt, .json and .html to `DIR`")
	fs.BoolVar(&f.json, "json", false, "print the JSON document instead of text")
	fs.DurationVar(&f.budget, "budget", diagnose.DefaultBudget, "measure a target that is run for about this long")
	f.service.registerAccess(fs)
	maxBytesFlag(fs, &f.maxBytes, "refuse a profile")
	f.failOver = -1
	fs.Func("fail-over", "exit with 3 if a finding could save more than `SHARE` of CPU or of the live heap, as in 5%", func(s string) (err error) {
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
	if f.main == "" && (f.serve != "" || f.url != "" || f.requests != "") {
		return usagef("a server is profiled by what is linked into it; give its package with -main, or the URL of one that runs as SOURCE")
	}
	if f.main == "" && (len(args.names) == 0 || args.after != nil) {
		return usagef("give profiles, a folder of them, packages, or -main PACKAGE; heapwright diagnose -h tells more")
	}
	dir, err := folder(f.dir)
	if err != nil {
		return err
	}
	if err := f.service.credentials(); err != nil {
		return usageError{err}
	}
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	f.service.plan.Duration = collect.DefaultDuration
	if slices.Contains(args.flags, "duration") {
		f.service.plan.Duration = f.duration
	}
	plan := diagnose.Plan{
		Collect: f.collect,
		Sources: args.names, Bench: f.bench, Dir: dir, MaxBytes: f.maxBytes, Budget: f.budget, Handler: progress,
	}
	if f.main != "" {
		if plan.Target, err = f.target(args); err != nil {
			return err
		}
	}
	doc, err := diagnose.Run(ctx, plan)
	progress.Close()
	if doc == nil {
		return err
	}
	doc.Tool, doc.Command = version(), args.typed
	// Of an interrupted control run the diagnosis is there, and is kept.
	if err := errors.Join(err, f.write(env, doc)); err != nil {
		return err
	}
	return f.judge(env, doc)
}

// collect fetches a live service's profiles into a folder. What it could not get
// is no reason to stop as long as something is there.
func (f *diagnoseFlags) collect(ctx context.Context, url, dir string) error {
	p := f.service.plan
	p.URL, p.Dir, p.MaxBytes, p.Tool = url, dir, f.maxBytes, version()
	doc, err := collect.Run(ctx, p)
	if doc != nil && errors.Is(err, collect.ErrIncomplete) {
		return nil
	}
	return err
}

// write writes the files, then prints one of them.
func (f *diagnoseFlags) write(env Env, doc *diagnose.Document) error {
	err := writeFiles(f.out, map[string]func(io.Writer) error{
		"diagnosis.txt":  func(w io.Writer) error { return view.Text(w, doc) },
		"diagnosis.json": func(w io.Writer) error { return view.JSON(w, doc) },
		"diagnosis.html": func(w io.Writer) error { return view.HTML(w, doc) },
	})
	if err != nil {
		return err
	}
	if f.json {
		return view.JSON(env.Stdout, doc)
	}
	return view.Text(env.Stdout, doc)
}

// judge says whether a finding is larger than allowed.
func (f *diagnoseFlags) judge(env Env, doc *diagnose.Document) error {
	if f.failOver < 0 || len(doc.Findings) == 0 || doc.Findings[0].Ceiling() <= f.failOver {
		return nil
	}
	worst := &doc.Findings[0]
	fmt.Fprintf(env.Stderr, "heapwright diagnose: %s could save %.1f %%, more than the %.1f %% of -fail-over\n",
		worst.Rule, 100*worst.Ceiling(), 100*f.failOver)
	return errFound
}
