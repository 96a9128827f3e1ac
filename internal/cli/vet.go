package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/vet"
	"github.com/heapwright/heapwright/internal/vet/view"
	"github.com/heapwright/heapwright/internal/vet/weight"
)

var vetCommand = command{
	name:  "vet",
	args:  "[flags] PACKAGES",
	short: "report memory faults and expensive lines in source, with fixes",
	long: `
Vet checks Go source. By default it reports only faults, such as using a pooled value
after Put. With profiles it also reports wasteful lines that cost at least 1%; with
-all it reports wasteful lines whatever they cost.

  heapwright vet ./...
  heapwright vet -profile cpu.pb.gz,heap.pb.gz ./...
  heapwright vet -profile cpu.pb.gz -fix -diff ./... | less
  heapwright vet -all -fix ./internal/codec
  go vet -vettool=$(which heapwright) ./...

The profiles may be older than the source: a line is found by its function and its
distance from the function's first line, as in profile-guided optimization.

A check offers a fix only if it can prove that the program behaves as before.
-fix does not change generated or read-only files, symbolic links, files outside the
module, or files that would not compile afterwards. docs/vet.md lists the checks.

Exit codes: 0 no reports; 1 the command failed, and nothing was checked; 2 the
command line is wrong; 3 reports; 4 some packages could not be checked.`,
	prepare: func(fs *flagSet) runner {
		f := &vetFlags{}
		f.register(fs)
		return f.run
	},
}

type vetFlags struct {
	plan      vet.Plan
	dir       string
	profiles  string
	fix, diff bool
	json      bool
	sarif     bool
	maxBytes  int64
}

func (f *vetFlags) register(fs *flagSet) {
	folderFlags(fs, &f.dir)
	fs.checks.common.StringVar(&f.profiles, "profile", "", "also report lines that cost at least 1% in the profiles in `FILES`, separated by commas")
	fs.checks.common.BoolVar(&f.plan.All, "all", false, "also run performance and escape checks, whatever a line costs")
	fs.checks.common.BoolVar(&f.fix, "fix", false, "apply the fixes of the reports that have one")
	fs.checks.common.BoolVar(&f.diff, "diff", false, "with -fix: print the changes as a unified diff and change no file")
	jsonFlag(fs, &f.json)
	fs.output.common.BoolVar(&f.sarif, "sarif", false, "print SARIF 2.1.0, for code-scanning pages, instead of text")
	maxBytesFlag(fs, &f.maxBytes, "reject profiles")
}

func (f *vetFlags) run(ctx context.Context, env Env, args arguments) error {
	if err := f.complete(ctx, env, args); err != nil {
		return err
	}
	d, err := vet.Run(ctx, f.plan)
	if ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	d.Tool, d.Command = version(), args.typed
	var changes *vet.Changes
	if f.fix {
		if changes, err = d.Fix(ctx, f.plan); err == nil && !f.diff {
			args.saves()
			changes.Write(d)
		}
		if ctx.Err() != nil && changes == nil {
			return errInterrupted
		}
		if err != nil {
			return err
		}
	}
	if err := f.show(env, d, changes); err != nil {
		return err
	}
	switch {
	case len(d.Failures) > 0:
		last := len(d.Failures) - 1
		for _, failure := range d.Failures[:last] {
			exitCode(env.Stderr, "vet", errors.New(failure.String()))
		}
		return incompleteError{errors.New(d.Failures[last].String())}
	case len(d.Reports) > d.Fixed() || f.diff && d.Fixed() > 0:
		return errFound
	}
	return nil
}

// complete makes the plan of the flags and arguments.
func (f *vetFlags) complete(ctx context.Context, env Env, args arguments) (err error) {
	switch {
	case len(args.names) == 0 || args.after != nil:
		return usagef("name the packages to check, as in ./...")
	case f.diff && !f.fix:
		return usagef("-diff shows the changes of -fix; give both")
	case f.json && f.sarif, f.diff && (f.json || f.sarif):
		return usagef("-json, -sarif and -diff exclude each other: each prints something else")
	}
	if f.plan.Dir, err = folder(f.dir); err != nil {
		return err
	}
	f.plan.Packages = args.names
	if f.profiles == "" {
		return nil
	}
	files := strings.Split(f.profiles, ",")
	if slices.Contains(files, "") {
		return usagef("an empty name in -profile %s", f.profiles)
	}
	if err := fromStdin(files); err != nil {
		return err
	}
	keepBelow(f.maxBytes)
	f.plan.Profiles, err = weight.Read(files, profile.Options{MaxBytes: f.maxBytes, Open: env.opener(ctx, "vet").Open})
	return err
}

// show prints the document in the form that was asked for, and the notes.
func (f *vetFlags) show(env Env, d *vet.Document, changes *vet.Changes) error {
	for _, note := range d.Notes {
		fmt.Fprintf(env.Stderr, "heapwright vet: note: %s\n", termtext.Harmless(note))
	}
	if f.fix {
		fmt.Fprintf(env.Stderr, "heapwright vet: %s\n", view.Fixed(d, changes.Len(), f.diff))
	}
	switch {
	case f.json:
		return view.JSON(env.Stdout, d)
	case f.sarif:
		return view.SARIF(env.Stdout, d)
	case f.diff:
		if _, err := env.Stdout.Write(changes.Diff(d)); err != nil {
			return err
		}
		return view.Text(env.Stderr, d) // standard output is for patch and git apply
	}
	return view.Text(env.Stdout, d)
}
