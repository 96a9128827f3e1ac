package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// reportFile is the file that compare leaves in its folder.
const reportFile = "report.json"

func (s *settings) file(e experiment) string { return filepath.Join(s.reports, e.name+".json") }

func (s *settings) budgetOf(e experiment) time.Duration {
	if s.budget > 0 {
		return s.budget
	}
	return e.budget
}

// measure runs the experiments that have no report. One that fails does not
// keep the others from running.
func (s *settings) measure(ctx context.Context, dir string) error {
	tool, err := program.Heapwright(ctx, "", dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.reports, 0o755); err != nil {
		return err
	}
	var failed []error
	for _, e := range experiments {
		if _, err := os.Stat(s.file(e)); err == nil && s.only == "" || s.only != "" && s.only != e.name {
			continue
		}
		if err := s.one(ctx, tool, e); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", e.name, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(failed...)
}

// one runs an experiment, or continues it if it was interrupted, and keeps the
// necessary parts of its report.
func (s *settings) one(ctx context.Context, tool string, e experiment) error {
	raw := filepath.Join(s.raw, e.name)
	args := e.command(s.budgetOf(e))
	args = slices.Concat(args[:1], []string{"-o", raw}, args[1:])
	if begun, err := result.Load(ctx, filepath.Join(raw, reportFile)); err == nil && (begun.Stopped == "interrupted" || begun.Finished.IsZero()) {
		args = []string{"compare", "-resume", "-o", raw, "-budget", s.budgetOf(e).String()}
	}
	fmt.Fprintf(os.Stderr, "%s: heapwright %s\n", e.name, line(args))
	if err := (program.In{}).Command(ctx, append([]string{tool}, args...)...).Run(); err != nil {
		return err
	}
	return s.keep(e, raw)
}

// keep keeps the necessary parts of the report that an experiment left in dir.
func (s *settings) keep(e experiment, dir string) error {
	doc, err := result.Load(context.Background(), filepath.Join(dir, reportFile))
	if err != nil {
		return err
	}
	modes, err := e.modes()
	if err != nil {
		return err
	}
	for _, m := range modes {
		if !slices.ContainsFunc(doc.Modes, func(has result.Mode) bool { return has.Name == m.Name }) {
			return fmt.Errorf("%s: it has no mode %q, which %s compares", dir, m.Name, e.name)
		}
	}
	return result.Save(s.file(e), small(doc, e.command(s.budgetOf(e))))
}

// small returns the parts of a report that the page rests on: effects and their control,
// the collector's figures, and how it was measured. The runs stay in the raw data.
func small(doc *result.Document, command []string) *result.Document {
	s := &result.Document{
		Schema: doc.Schema, Tool: doc.Tool, Started: doc.Started, Finished: doc.Finished, Command: command,
		Machine: doc.Machine, Target: doc.Target, Seed: doc.Seed, Analyses: doc.Analyses, Blocks: doc.Blocks,
		Baseline: doc.Baseline, Stopped: doc.Stopped, Benchmarks: doc.Benchmarks, Untimed: doc.Untimed,
		Effects: doc.Effects, Control: doc.Control, Runs: []sample.Run{}, Summaries: []verdict.Summary{},
	}
	s.Machine.Kernel = "" // it may name the machine
	for _, m := range doc.Modes {
		m.Build, m.Run, m.Binaries = nil, nil, nil // they name folders of the machine
		m.Identity = mode.Identity{GoVersion: m.Identity.GoVersion, Experiments: m.Identity.Experiments, HeapFloor: m.Identity.HeapFloor}
		m.Failed = strings.ReplaceAll(m.Failed, doc.Dir, ".")
		s.Modes = append(s.Modes, m)
	}
	return s
}

// load reads the reports that are there.
func (s *settings) load() (reports, error) {
	all := reports{}
	for _, e := range experiments {
		if _, err := os.Stat(s.file(e)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		doc, err := result.Load(context.Background(), s.file(e))
		if err != nil {
			return nil, err
		}
		all[e.name] = doc
	}
	return all, nil
}

// line writes arguments as one types them.
func line(args []string) string {
	var out []string
	for _, a := range args {
		if strings.ContainsAny(a, " {}$*") {
			a = "'" + a + "'"
		}
		out = append(out, a)
	}
	return strings.Join(out, " ")
}
