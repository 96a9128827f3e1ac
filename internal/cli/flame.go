package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/result"
)

var flameCommand = command{
	name:  "flame",
	args:  "[flags] PROFILE...",
	short: "draw profiles as a flame graph: an interactive page, or an SVG",
	long: `
Flame draws pprof profiles of any kind and adds up several. The page is one file that
needs no network. It has search, zoom, callers, a sandwich view of any function, all
sample types, and source lines. An SVG needs no script.

  heapwright flame heap.pb.gz
  heapwright flame -type inuse_space -o live.svg heap-*.pb.gz
  heapwright flame -diff before.pb.gz after.pb.gz
  heapwright flame -focus 'encoding/json' -ignore 'runtime/pprof' -C ~/src/service cpu.pb.gz
  curl -s http://localhost:6060/debug/pprof/heap | heapwright flame -
  heapwright flame serve+http://127.0.0.1:7070 -service checkout -kind heap -type inuse_space
  heapwright flame pyroscope+http://127.0.0.1:4040 -service checkout
  heapwright flame -service checkout -diff 'serve+http://127.0.0.1:7070?version=v1' \
      'serve+http://127.0.0.1:7070?version=v2'
  heapwright flame -o - -format svg cpu.pb.gz | rsvg-convert > cpu.png

Callers are above callees, and the heaviest callee is on the left. In the page of a
CPU profile, colours can show the activity of the CPU: own code, allocation,
collection. With -diff, red is more than before, blue is less, and stacks that only
the base has stay visible. -focus and -ignore match functions, files and
binaries by regular expression, as in go tool pprof.`,
	prepare: func(fs *flagSet) runner {
		f := &flameFlags{}
		f.register(fs)
		return f.run
	},
}

type flameFlags struct {
	base                []string
	sampleType          string
	out, format, dir    string
	focus, ignore       string
	normalize, inverted bool
	maxBytes            int64
	remote              remote
	tokenFile           string
}

func (f *flameFlags) register(fs *flagSet) {
	fs.output.common.StringVar(&f.out, "o", "flame.html", "write to `FILE`: an SVG if its name ends in .svg, else a page; - is standard output")
	fs.output.rare.StringVar(&f.format, "format", "",
		"write `FORMAT`, html or svg, whatever the name of the file")
	fs.comparison.common.Func("diff", "compare with the profile `BASE`; may be repeated to add up several", func(name string) error {
		base := []string{name}
		err := fromStdin(base)
		f.base = append(f.base, base...)
		return err
	})
	fs.comparison.rare.BoolVar(&f.normalize, "normalize", false, "with -diff: scale the base to the same total, for recordings of different durations")
	fs.view.common.StringVar(&f.sampleType, "type", "", "show this sample `TYPE` first, such as alloc_space (default: the same as go tool pprof)")
	fs.view.common.StringVar(&f.focus, "focus", "", "keep stacks with a frame that matches `REGEXP`")
	fs.view.rare.StringVar(&f.ignore, "ignore", "", "drop stacks with a frame that matches `REGEXP`")
	fs.view.rare.BoolVar(&f.inverted, "invert", false, "in an SVG: start from the running functions and branch to their callers")
	fs.input.common.StringVar(&f.dir, "C", "", "look for source below `DIR` before the path in the profile")
	maxBytesFlag(fs, &f.maxBytes, "reject profiles")
	f.remote.register(fs)
	fs.service.rare.StringVar(&f.remote.kind, "kind", "cpu", "of serve+URL and pyroscope+URL: profiles of `KIND`: cpu, heap, goroutine")
	fs.service.rare.StringVar(&f.tokenFile, "token-file", "",
		"of serve+URL and pyroscope+URL: send the bearer token in `FILE` (default: HEAPWRIGHT_TOKEN, if set)")
}

func (f *flameFlags) run(ctx context.Context, env Env, args arguments) error {
	opts, svg, err := f.options(args)
	if err != nil {
		return err
	}
	keepBelow(f.maxBytes)
	token, err := secret(env.opener(ctx, "flame"), f.tokenFile, "HEAPWRIGHT_TOKEN")
	if err != nil {
		return usageError{err}
	}
	names, done, err := f.remote.fetch(ctx, args.names, token)
	if err != nil {
		return err
	}
	defer done()
	bases, baseDone, err := f.remote.fetch(ctx, f.base, token)
	if err != nil {
		return err
	}
	defer baseDone()
	read := profile.Options{MaxBytes: f.maxBytes, Open: env.opener(ctx, "flame").Open}
	p, base, notes, err := flame.Read(ctx, names, bases, read)
	if err != nil {
		return err
	}
	for _, note := range notes {
		fmt.Fprintf(env.Stderr, "heapwright flame: note: %s\n", note)
	}
	opts.Base, opts.Title = base, flame.Title(args.names, f.base)
	tree, err := flame.New(p, opts)
	if err != nil {
		return err
	}
	if tree.LeftOut > 0 {
		fmt.Fprintf(env.Stderr, "heapwright flame: note: of %d stacks the calls past the largest million are not drawn; -focus draws a part whole\n", tree.LeftOut)
	}
	write := tree.WriteHTML
	if svg {
		write = tree.WriteSVG
	}
	if f.out == "-" {
		return write(env.Stdout)
	}
	if err := result.Replace(f.out, func(w io.Writer) error { return write(w) }); err != nil {
		return err
	}
	fmt.Fprintln(env.Stdout, f.out)
	return nil
}

// options holds the flags against each other before anything is read.
func (f *flameFlags) options(args arguments) (opts flame.Options, svg bool, err error) {
	format := f.format
	if format == "" {
		format = "html"
		if strings.EqualFold(filepath.Ext(f.out), ".svg") {
			format = "svg"
		}
	}
	switch {
	case len(args.names) == 0 || args.after != nil:
		return opts, false, usagef("no profile; name pprof files, or - for standard input, as from curl -o heap.pb.gz HOST/debug/pprof/heap")
	case format != "svg" && format != "html":
		return opts, false, usagef("-format %s: it is html or svg", f.format)
	case f.out == "":
		return opts, false, usagef("-o needs the name of a file, or - for standard output")
	case f.inverted && format == "html":
		return opts, false, usagef("-invert is for SVG; a page has a button for it")
	case f.normalize && len(f.base) == 0:
		return opts, false, usagef("-normalize scales the base of -diff, which is not given")
	}
	if _, err := folder(f.dir); err != nil {
		return opts, false, err
	}
	opts = flame.Options{Type: f.sampleType, Normalized: f.normalize, Inverted: f.inverted, Source: flame.Files(f.dir)}
	for _, re := range []struct {
		name, text string
		to         **regexp.Regexp
	}{{"focus", f.focus, &opts.Focus}, {"ignore", f.ignore, &opts.Ignore}} {
		if re.text == "" {
			continue
		}
		if *re.to, err = regexp.Compile(re.text); err != nil {
			return opts, false, usagef("-%s: %w", re.name, err)
		}
	}
	return opts, format == "svg", nil
}
