package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/bench/internal/fetch"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/diagnose"
)

// outcome is one diagnosis. It is kept in a file, so that judging again needs no
// run.
type outcome struct {
	Commit  string // the commit of the heapwright that was run
	Budget  time.Duration
	Compile time.Duration // compiling comes before, so that the go command finds all packages up to date
	Took    time.Duration // heapwright, from start to end
	Failed  string        // why there is no document

	Document *diagnose.Document `json:"-"`
}

// compiling is the part of Took that does not count against the budget.
func (o *outcome) compiling() time.Duration {
	if o.Document == nil {
		return 0
	}
	return time.Duration(o.Document.Compiling * float64(time.Second))
}

// errNotRun says that only kept runs are wanted, and that none is there.
var errNotRun = errors.New("not run")

// patience is how many budgets a diagnosis may take before it is ended.
const patience = 4

// job is a diagnosis to be made.
type job struct {
	name, dir string
	prepare   func() error // makes the folder "module" in dir
	compile   []string     // packages
	args      []string     // arguments of heapwright diagnose
}

// moduleJob is the diagnosis of a module.
func (s *settings) moduleJob(ctx context.Context, m *truth.Module) job {
	dir := filepath.Join(s.Out, m.Name)
	data := filepath.Join(dir, "data")
	var args []string
	for _, a := range m.Args {
		args = append(args, strings.ReplaceAll(a, "{data}", data))
	}
	return job{name: m.Name, dir: dir, compile: m.Compile, args: args, prepare: func() error {
		for name, text := range m.Inputs() {
			if err := errors.Join(os.MkdirAll(data, 0o777), os.WriteFile(filepath.Join(data, name), []byte(text), 0o666)); err != nil {
				return err
			}
		}
		return fetch.Module(ctx, m.Path+"@"+m.Version, filepath.Join(dir, "module"))
	}}
}

// measure runs a diagnosis, unless its outcome is kept in the job's folder.
func (s *settings) measure(ctx context.Context, j job) (*outcome, error) {
	kept, module := filepath.Join(j.dir, "outcome.json"), filepath.Join(j.dir, "module")
	o, err := program.ReadJSON[outcome](kept)
	if !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return nil, err
		}
		return &o, o.read(j.dir)
	}
	if s.Again {
		return nil, errNotRun
	}
	fmt.Fprintf(os.Stderr, "%s: fetch and compile\n", j.name)
	o.Budget, o.Commit = s.budget, page.Now().Commit
	err = j.prepare()
	start := time.Now()
	if err == nil {
		err = compile(ctx, module, j.compile)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // not kept: the next run tries again
		fmt.Fprintf(os.Stderr, "%s: %v\n", j.name, err)
		o.Failed, _, _ = strings.Cut(err.Error(), "\n")
		return &o, nil
	}
	o.Compile = time.Since(start)

	fmt.Fprintf(os.Stderr, "%s: diagnose\n", j.name)
	limited, cancel := context.WithTimeout(ctx, patience*s.budget)
	defer cancel()
	cmd := program.Outside("").Command(limited, append([]string{s.Tool, "diagnose", "-C", module, "-o", j.dir, "-budget", s.budget.String()}, j.args...)...)
	cmd.Stderr = nil
	start = time.Now()
	text, err := cmd.CombinedOutput()
	o.Took = time.Since(start)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		o.Failed = fmt.Sprintf("%v: %s", err, lastLine(string(text)))
	}
	return &o, errors.Join(program.WriteJSON(kept, &o), o.read(j.dir))
}

// compile builds the tests of packages, and has the compiler report escapes in the
// packages; one that holds tests alone has none.
func compile(ctx context.Context, module string, packages []string) error {
	text, err := program.Outside(module).Output(ctx, nil, append([]string{"go", "list", "-f", "{{if .GoFiles}}{{.ImportPath}}{{end}}"}, packages...)...)
	if err != nil {
		return err
	}
	if full := strings.Fields(string(text)); len(full) > 0 {
		if err := program.Outside(module).Run(ctx, append([]string{"go", "build", "-o", os.DevNull, "-gcflags=-m=2"}, full...)...); err != nil {
			return err
		}
	}
	return program.Outside(module).Run(ctx, append([]string{"go", "test", "-vet=off", "-run=^$", "-exec=true"}, packages...)...)
}

func (o *outcome) read(dir string) error {
	if o.Failed != "" {
		return nil
	}
	d, err := program.ReadJSON[diagnose.Document](filepath.Join(dir, "diagnosis.json"))
	o.Document = &d
	return err
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
