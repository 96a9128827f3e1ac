package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/fetch"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/vetting"
)

// An outcome is the result of one port.
type outcome struct {
	*Port
	Lines, Moved int          // lines added or changed; places that allocate in an arena
	Tests        []testResult // plain, with arenadebug, and with the race detector
	Reports      []string
	Found        []bool   // one for each plant
	Noticed      [][]bool // the same for each further build of Tests
}

// A testResult has the tests of a port in one build.
type testResult struct {
	Build   string
	Passed  int
	Failing []string // these passed in the module as published

	results map[string]bool
}

// checks are the checks of arenas.
var checks = []string{"arenause", "arenafree", "arenaescape", "arenashare"}

// try makes a port, tests and checks it, and plants its faults.
func (s *settings) try(ctx context.Context, p *Port) (*outcome, error) {
	dir := filepath.Join(s.out, p.Name)
	published, port := filepath.Join(dir, "published"), filepath.Join(dir, "port")
	fmt.Fprintf(os.Stderr, "%s: fetch and change\n", p.Name)
	if err := errors.Join(os.MkdirAll(dir, 0o777), fetch.Module(ctx, p.Path+"@"+p.Version, published), os.RemoveAll(port)); err != nil {
		return nil, err
	}
	if err := os.CopyFS(port, os.DirFS(published)); err != nil {
		return nil, err
	}
	if err := p.apply(ctx, port, s.checkout); err != nil {
		return nil, err
	}
	o := &outcome{Port: p}
	var err error
	if o.Lines, err = changed(ctx, dir); err != nil {
		return nil, err
	}
	if o.Moved, err = moved(port); err != nil {
		return nil, err
	}
	if s.tests {
		if err := o.test(ctx, published, port); err != nil {
			return nil, err
		}
	}
	if o.Reports, err = s.reports(ctx, port, p.Packages...); err != nil {
		return nil, err
	}
	for i := range p.Plants {
		if err := s.plant(ctx, o, p.Plants[i], port); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// test runs the tests of the packages as published, and of the port in each build.
func (o *outcome) test(ctx context.Context, published, port string) error {
	fmt.Fprintf(os.Stderr, "%s: test\n", o.Name)
	before := vetting.Test(ctx, program.Outside(published), append([]string{"-vet=off"}, o.Packages...)...)
	builds := []string{"", debugBuild}
	if o.Race {
		builds = append(builds, raceBuild)
	}
	for _, build := range builds {
		now, err := o.run(ctx, port, build)
		if err != nil {
			return err
		}
		t := testResult{Build: build, results: now}
		for _, name := range slices.Sorted(maps.Keys(now)) {
			if was, known := before[name]; now[name] {
				t.Passed++
			} else if was || !known {
				t.Failing = append(t.Failing, name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(before)) {
			if _, ran := now[name]; before[name] && !ran {
				t.Failing = append(t.Failing, name)
			}
		}
		o.Tests = append(o.Tests, t)
	}
	return nil
}

// run runs the tests of the port in a build.
func (o *outcome) run(ctx context.Context, port, build string) (results map[string]bool, err error) {
	args := []string{"-vet=off"}
	if build != "" {
		args = append(args, build)
	}
	if build == debugBuild && o.Leaves == "" {
		leaks, err := reportLeaks(ctx, port, o.Packages)
		if err != nil {
			return nil, err
		}
		defer func() {
			for _, name := range leaks {
				err = errors.Join(err, os.Remove(name))
			}
		}()
	}
	return vetting.Test(ctx, program.Outside(port), append(args, o.Packages...)...), nil
}

// notice runs the tests of a port with a planted fault, and notes in which builds one fails that passes
// without it.
func (o *outcome) notice(ctx context.Context, port string) error {
	var noticed []bool
	for _, t := range o.Tests[min(len(o.Tests), 1):] {
		now, err := o.run(ctx, port, t.Build)
		if err != nil {
			return err
		}
		fails := false
		for name, passed := range t.results {
			fails = fails || passed && !now[name]
		}
		noticed = append(noticed, fails)
	}
	o.Noticed = append(o.Noticed, noticed)
	return nil
}

const (
	debugBuild = "-tags=arenadebug"
	raceBuild  = "-race"
)

// reportLeaks adds a file to each package with tests, so that they fail if an arena was not
// freed. It returns the added files.
func reportLeaks(ctx context.Context, dir string, packages []string) (added []string, err error) {
	const format = "{{if .TestGoFiles}}{{.Dir}}\t{{.Name}}{{else if .XTestGoFiles}}{{.Dir}}\t{{.Name}}_test{{end}}"
	out, err := program.Outside(dir).Output(ctx, nil, append([]string{"go", "list", "-f", format}, packages...)...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		folder, name, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		file := filepath.Join(folder, "arenas_leak_test.go")
		text := fmt.Sprintf(`package %s

import (
	"os"
	"testing"

	"%s"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if n, _ := arena.WriteLeaks(os.Stdout); n > 0 {
		code = 1
	}
	os.Exit(code)
}
`, name, arenaPath)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return nil, err
		}
		added = append(added, file)
	}
	return added, nil
}

// changed counts the lines of Go that the port below dir adds or changes.
func changed(ctx context.Context, dir string) (n int, err error) {
	out, err := program.In{Dir: dir}.Output(ctx, []int{1}, "git", "diff", "--no-index", "--numstat", "published", "port") // 1: there are differences
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); strings.Contains(line, ".go") {
			added, err := strconv.Atoi(f[0])
			if err != nil {
				return 0, err
			}
			n += added
		}
	}
	return n, nil
}

var allocates = regexp.MustCompile(`\barena\.(New|MakeSlice|Append|Bytes|String|Concat|NewMap|NewBuffer|ReflectNew|NewSlab)\b|\binTree\(`)

// moved counts the places below dir that allocate in an arena, outside of tests.
func moved(dir string) (n int, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		if bytes.Contains(text, []byte("arena")) || bytes.Contains(text, []byte("inTree(")) {
			n += len(allocates.FindAll(text, -1))
		}
		return err
	})
	return n, err
}
