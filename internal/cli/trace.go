package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/collect"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/trace"
	"github.com/heapwright/heapwright/internal/trace/view"
)

var traceCommand = command{
	name:  "trace",
	args:  "[flags] FILE|URL|-",
	short: "show the delays that the collector, stops and locks cause, from an execution trace",
	long: `
Trace reads an execution trace of Go 1.22 or later. It reports the collections with
their pauses, mark assists by line, the goroutines that waited for the collector, and
the collector's share of the p99 and p99.9 of delays. It names the lines that stop the
world, such as by runtime.ReadMemStats, and those that wait for locks, with the line that
holds the lock. The HTML page has a timeline that you can zoom.

  heapwright trace service.trace
  heapwright trace http://localhost:6060
  heapwright trace -duration 10s https://api.example.org -token-file token
  curl -s 'localhost:6060/debug/pprof/trace?seconds=5' | heapwright trace -

Traces come from runtime/trace, its flight recorder, go test -trace or
/debug/pprof/trace. A URL is a live service's root or anything below /debug/pprof.
Trace then records a trace of the service, which slows it down meanwhile, and keeps
the file.

Exit codes: 0 success; 1 failure; 2 the command line is wrong; 4 the trace is
truncated, and the part before its end is shown.`,
	prepare: func(fs *flagSet) runner {
		f := &traceFlags{}
		f.register(fs)
		return f.run
	},
}

type traceFlags struct {
	out      string
	json     bool
	maxBytes int64
	service  collectFlags
}

func (f *traceFlags) register(fs *flagSet) {
	fs.output.common.StringVar(&f.out, "o", "heapwright-out", "write trace.txt, .json and .html to `DIR`")
	jsonFlag(fs, &f.json)
	durationFlag(fs, &f.service.plan.Trace, 5*time.Second)
	fs.former("seconds", func(s string) error { return fs.all.Set("duration", s+"s") })
	maxBytesFlag(fs, &f.maxBytes, "stop reading a trace that takes more memory than this, and reject responses")
	f.service.registerAccess(fs)
}

func (f *traceFlags) run(ctx context.Context, env Env, args arguments) error {
	if len(args.names) != 1 || args.after != nil {
		return usagef("give one trace: a file, the URL of a live service, or - for standard input")
	}
	release, err := args.claim(env, f.out)
	if err != nil {
		return err
	}
	defer release()
	source := args.names[0]
	if strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://") {
		recorded, err := f.record(ctx, env, source)
		if err != nil {
			return err
		}
		source = recorded
	}
	keepBelow(f.maxBytes)
	doc, err := f.read(ctx, env, source)
	if doc == nil {
		return err
	}
	doc.Tool = version()
	if failed := f.write(env, doc); failed != nil {
		return errors.Join(err, failed)
	}
	if errors.Is(err, trace.ErrTruncated) {
		return incompleteError{err}
	}
	return err
}

// record has a live service record a trace and returns the file that holds it.
func (f *traceFlags) record(ctx context.Context, env Env, url string) (string, error) {
	if d := f.service.plan.Trace; d <= 0 || d > time.Hour {
		return "", usagef("-duration %v: record for more than 0s and at most 1h", d)
	}
	if err := f.service.credentials(env.opener(ctx, "trace")); err != nil {
		return "", usageError{err}
	}
	p := f.service.plan
	p.URL, p.Dir, p.Tool, p.MaxBytes = url, filepath.Join(f.out, "traces"), version(), f.maxBytes
	if err := p.Check(ctx); err != nil {
		return "", usageError{err}
	}
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	p.Event = func(e collect.Event) {
		if e.File == "" {
			progress.Handle(e.Progress())
		}
	}
	return collect.RecordTrace(ctx, p)
}

func (f *traceFlags) read(ctx context.Context, env Env, source string) (*trace.Document, error) {
	in, err := env.opener(ctx, "trace").Open(source)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	size := int64(0)
	if info, err := os.Stat(source); err == nil {
		size = info.Size()
	}
	if source == stdin {
		source = "standard input"
	}
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	began := time.Now()
	return trace.Read(ctx, source, in, trace.Options{MaxMemory: f.maxBytes, Progress: func(read int64) {
		if time.Since(began) > 2*time.Second { // most traces are read by then
			progress.Handle(result.Progress{Phase: result.Read, Done: int(read >> 20), Total: int(size >> 20), Doing: source})
		}
	}})
}

// write writes the files and prints one of them, even if they cannot be written.
func (f *traceFlags) write(env Env, doc *trace.Document) error {
	err := result.ReplaceAll(f.out, map[string]func(io.Writer) error{
		"trace.txt":  func(w io.Writer) error { return view.Text(w, doc) },
		"trace.json": func(w io.Writer) error { return view.JSON(w, doc) },
		"trace.html": func(w io.Writer) error { return view.HTML(w, doc) },
	})
	if f.json {
		return errors.Join(err, view.JSON(env.Stdout, doc))
	}
	return errors.Join(err, view.Text(env.Stdout, doc))
}
