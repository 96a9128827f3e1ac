package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/bench/internal/fetch"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/rules"
)

// benchmarkFile is the name of our benchmark in a module's copy.
const benchmarkFile = "heapwright_release_test.go"

// side is how a release's benchmark is run: in the module, or in a module of a
// user's that requires it.
type side string

const (
	inside  side = "main module"
	outside side = "dependency"
)

// releaseRun is the outcome of a release on one side.
type releaseRun struct {
	release *truth.Release
	side    side
	outcome *outcome
	rank    int // the rank of the finding that names a mended line, from 1; 0 is not among the first
}

// releaseJob is the diagnosis of a release on one side.
func (s *settings) releaseJob(ctx context.Context, r *truth.Release, on side) job {
	dir := filepath.Join(s.Out, "release-"+r.Name)
	module, pkg := filepath.Join(dir, "module"), "./"+path.Clean(r.Package)
	prepare := s.releaseInside
	if on == outside {
		dir += "-outside"
		module, pkg, prepare = filepath.Join(dir, "module"), ".", s.releaseOutside
	}
	return job{
		name: "release " + r.Name + ", " + string(on), dir: dir,
		prepare: func() error { return prepare(ctx, r, module) },
		compile: []string{pkg},
		args:    []string{"-bench", "^BenchmarkRelease$", pkg},
	}
}

func (s *settings) releaseInside(ctx context.Context, r *truth.Release, module string) error {
	if err := fetch.Module(ctx, r.Path+"@"+r.Before, module); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(module, r.Package, benchmarkFile), []byte(r.Benchmark), 0o666)
}

func (s *settings) releaseOutside(ctx context.Context, r *truth.Release, module string) error {
	text := fmt.Sprintf("module example.org/user\n\ngo 1.26\n\nrequire %s %s\n", r.Path, r.Before)
	return errors.Join(
		os.MkdirAll(module, 0o777),
		os.WriteFile(filepath.Join(module, "go.mod"), []byte(text), 0o666),
		os.WriteFile(filepath.Join(module, benchmarkFile), []byte(r.Benchmark), 0o666),
		os.WriteFile(filepath.Join(module, "user.go"), []byte(r.Clause()), 0o666),
		program.Outside(module).Run(ctx, "go", "mod", "tidy"))
}

// rankOf returns the rank of the first finding that names a line that the release
// mended.
func rankOf(r *truth.Release, o *outcome, on side) int {
	if o.Document == nil {
		return 0
	}
	all := o.Document.Findings
	return 1 + slices.IndexFunc(all[:min(first, len(all))], func(f rules.Finding) bool {
		return slices.ContainsFunc(r.Mended, func(p truth.Place) bool {
			if on == outside {
				p.At = r.Path + "@" + r.Before + "/" + p.At
			}
			return names(p, &f)
		})
	})
}
