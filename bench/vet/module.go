package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/fetch"
	"github.com/heapwright/heapwright/internal/vet"
)

// outcome is the result of one module.
type outcome struct {
	module   string
	reports  map[string]int // by check
	failures []string       // packages that could not be checked
	offered  int            // fixes
	applied  int
	left     []string // files left alone, and why
	broken   []string // messages of go build and go vet that were not there before
	tests    []string // that passed twice before and fail now
	unstable []string // tests that failed before, at least once
}

// rounds bounds how often overlapping fixes are applied in turn.
const rounds = 5

func (s *settings) module(ctx context.Context, module string) (*outcome, error) {
	name := strings.NewReplacer("/", "_", "@", "_").Replace(module)
	dir := filepath.Join(s.out, name)
	fmt.Fprintf(os.Stderr, "%s: fetch and vet\n", module)
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := fetch.Module(ctx, module, dir); err != nil {
		return nil, err
	}
	before := messages(ctx, dir)
	d, err := s.vet(ctx, dir, "-all")
	if err != nil {
		return nil, err
	}
	o := &outcome{module: module, reports: map[string]int{}}
	changed := map[string]bool{}
	for _, r := range d.Reports {
		o.reports[r.Check]++
		if r.Fix != nil {
			o.offered++
			changed["./"+filepath.ToSlash(filepath.Dir(r.File))] = true
		}
	}
	for _, f := range d.Failures {
		o.failures = append(o.failures, f.String())
	}
	text, err := json.MarshalIndent(d, "", " ")
	if err = errors.Join(err, os.WriteFile(dir+".json", text, 0o666)); err != nil {
		return nil, err
	}
	packages := slices.Sorted(keys(changed))
	var passed map[string]bool
	if s.test {
		passed, o.unstable = stable(ctx, dir, packages)
	}
	for range rounds {
		d, err := s.vet(ctx, dir, "-all", "-fix")
		if err != nil {
			return nil, err
		}
		o.applied += d.Fixed()
		for _, n := range d.Notes {
			if strings.Contains(n, " is left alone: ") && !slices.Contains(o.left, n) {
				o.left = append(o.left, n)
			}
		}
		if d.Fixed() == 0 {
			break
		}
	}
	for _, m := range messages(ctx, dir) {
		if !slices.Contains(before, m) {
			o.broken = append(o.broken, m)
		}
	}
	if s.test {
		now := run(ctx, dir, packages)
		for _, name := range slices.Sorted(keys(passed)) {
			if !now[name] {
				o.tests = append(o.tests, name)
			}
		}
	}
	return o, nil
}

// vet runs heapwright vet on all packages. Its exit codes 3 and 4 are answers.
func (s *settings) vet(ctx context.Context, dir string, flags ...string) (*vet.Document, error) {
	cmd := exec.CommandContext(ctx, s.tool, append(append([]string{"vet", "-config", "none", "-C", dir, "-json"}, flags...), "./...")...)
	cmd.Env = fetch.Environment()
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() >= 3 {
		err = nil
	}
	if err != nil {
		if exit != nil {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return nil, err
	}
	var d vet.Document
	return &d, json.Unmarshal(out, &d)
}

var line = regexp.MustCompile(`:[0-9]+:[0-9]+: `)

// messages returns the output of go build and go vet in a module, without
// positions, which fixes move.
func messages(ctx context.Context, dir string) []string {
	var all []string
	for _, verb := range []string{"build", "vet"} {
		cmd := exec.CommandContext(ctx, "go", verb, "./...")
		cmd.Dir, cmd.Env = dir, fetch.Environment()
		out, _ := cmd.CombinedOutput() // its messages are compared
		for text := range strings.Lines(string(out)) {
			if text = strings.TrimSpace(text); !strings.HasPrefix(text, "go: downloading") {
				all = append(all, line.ReplaceAllString(text, ": "))
			}
		}
	}
	return all
}
