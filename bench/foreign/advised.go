package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/rules"
)

// trial is advice that was carried out in a copy of the module: code that a
// finding shows for a line, or an arena or a pool in lines of our own.
type trial struct {
	where  string
	failed string // why it does not compile, or which tests fail; "" is neither
}

// carryOut applies the code that the findings of a module show, and vets the
// packages, tests included; and makes each arena and each pool that is advised, and
// runs the tests, also with -race.
func (s *settings) carryOut(ctx context.Context, j *judgement, from job) {
	if j.outcome.Document == nil {
		return
	}
	module := filepath.Join(from.dir, "module")
	for _, f := range withOthers(j.outcome.Document.Findings) {
		if f.Patch == "" {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s: the code for %s\n", j.module.Name, where(f))
		as := filepath.Join(from.dir, "patched", name(where(f)))
		err := s.once(as, func(module string) error {
			file := filepath.Join(as, "code.patch")
			return errors.Join(os.WriteFile(file, []byte(f.Patch), 0o666),
				program.Outside(module).Run(ctx, "git", "apply", "-p1", file),
				program.Outside(module).Run(ctx, "go", "vet", "./"+filepath.ToSlash(filepath.Dir(f.File))))
		}, module)
		if !errors.Is(err, errNotRun) {
			j.patches = append(j.patches, newTrial(where(f), err))
		}
	}
	for _, h := range j.hazards {
		i := slices.IndexFunc(j.module.Advised, func(c truth.Change) bool {
			return truth.Place{At: c.For}.Holds(h.finding.File, h.finding.Line)
		})
		if i < 0 {
			j.advised = append(j.advised, trial{h.where, "nobody has made this change"})
			continue
		}
		c := j.module.Advised[i]
		fmt.Fprintf(os.Stderr, "%s: %s at %s\n", j.module.Name, c.What, h.where)
		err := s.once(filepath.Join(from.dir, "advised", name(h.where)), func(module string) error {
			if err := c.Apply(module); err != nil {
				return err
			}
			c.Race = true
			return tested(ctx, &c, module)
		}, module)
		if !errors.Is(err, errNotRun) {
			j.advised = append(j.advised, newTrial(h.where, err))
		}
	}
}

// once changes a copy of a module in a folder, unless the folder holds one that was
// changed with success.
func (s *settings) once(dir string, change func(module string) error, from string) error {
	passed, module := filepath.Join(dir, "passed"), filepath.Join(dir, "module")
	if _, err := os.Stat(passed); err == nil {
		return nil
	}
	if s.Again {
		return errNotRun
	}
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o777), os.CopyFS(module, os.DirFS(from))); err != nil {
		return err
	}
	if err := change(module); err != nil {
		return err
	}
	return os.WriteFile(passed, nil, 0o666)
}

func newTrial(where string, err error) trial {
	if err != nil {
		return trial{where, strings.Join(strings.Fields(err.Error()), " ")}
	}
	return trial{where, ""}
}

// name is a folder's name for a place.
func name(where string) string {
	return strings.NewReplacer("/", "-", ":", "-", " ", "-").Replace(where)
}

// withOthers returns findings and those below them.
func withOthers(all []rules.Finding) (flat []*rules.Finding) {
	for i := range all {
		flat = append(append(flat, &all[i]), withOthers(all[i].Others)...)
	}
	return flat
}

// passed counts the advice that was carried out without a failure.
func passed(all []trial) (n int) {
	for _, c := range all {
		if c.failed == "" {
			n++
		}
	}
	return n
}
