package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/program"
)

const arena = "github.com/heapwright/heapwright/arena"

// tests are a copy of the module of arenapb's tests.
type tests struct {
	dir      string
	packages []pkg
	built    []string // the command of the last build
}

// A pkg is a package with generated types.
type pkg struct {
	path, module, version string
}

// A run is the outcome of a build.
type run struct {
	Build build
	Types []typeResult
}

// A typeResult is a line that TestEveryType writes.
type typeResult struct {
	Type, Package           string
	Explained               []string
	Accepted, Refused, JSON int
	Differs                 bool
}

// newTests copies arenapb's tests to a folder and adds the modules.
func newTests(ctx context.Context, dir string) (*tests, error) {
	source, err := filepath.Abs("../arena")
	if err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(source, "arenapb", "arenapbtest"))); err != nil {
		return nil, err
	}
	// With the tag protoopaque, hybrid types are to be types of the opaque API. These have
	// one file alone.
	hybrid := filepath.Join(dir, "testdata", "hybrid", "hybrid.pb.go")
	text, err := os.ReadFile(hybrid)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(hybrid, bytes.Replace(text, []byte("//go:build !protoopaque\n"), nil, 1), 0o666); err != nil {
		return nil, err
	}
	replace := []string{"-replace=" + arena + "=" + source, "-replace=" + arena + "/arenapb=" + filepath.Join(source, "arenapb")}
	if err := program.Outside(dir).Run(ctx, append([]string{"go", "mod", "edit"}, replace...)...); err != nil {
		return nil, err
	}
	all := slices.Concat(modules, large)
	if err := program.Outside(dir).Run(ctx, append([]string{"go", "get"}, all...)...); err != nil {
		return nil, err
	}
	t := &tests{dir: dir}
	patterns := []string{"-find"}
	for _, m := range all {
		patterns = append(patterns, pathOf(m)+"/...")
	}
	generated, err := t.list(ctx, patterns)
	if err != nil {
		return nil, err
	}
	// The same once more, with those that they require and without those that require
	// packages that are not served.
	list := []string{"-deps"}
	for _, p := range generated {
		list = append(list, p.path)
	}
	t.packages, err = t.list(ctx, list)
	return t, err
}

// pathOf returns the path of a module that has a version.
func pathOf(module string) string {
	path, _, _ := strings.Cut(module, "@")
	return path
}

// list lists packages that have generated types and can be imported.
func (t *tests) list(ctx context.Context, args []string) ([]pkg, error) {
	const format = `{{if and .Module (not .Incomplete) (ne .Name "main")}}{{.ImportPath}} {{.Module.Path}} {{.Module.Version}} {{.GoFiles}}{{end}}`
	out, err := program.Outside(t.dir).Output(ctx, nil, slices.Concat([]string{"go", "list", "-mod=mod", "-e", "-f", format}, args)...)
	if err != nil {
		return nil, err
	}
	var found []pkg
	for line := range strings.Lines(string(out)) {
		part := strings.SplitN(line, " ", 4)
		if strings.Contains(part[3], ".pb.go") && !strings.Contains(part[0]+"/", "/internal/") {
			found = append(found, pkg{part[0], part[1], part[2]})
		}
	}
	return found, nil
}

// run builds the tests and runs them. It returns the results until an error.
func (t *tests) run(ctx context.Context, b build, samples int, seed uint64) (*run, error) {
	var imports bytes.Buffer
	fmt.Fprintln(&imports, "package arenapbtest")
	for _, p := range t.packages {
		isLarge := slices.ContainsFunc(large, func(m string) bool { return pathOf(m) == p.module })
		if !b.small || !isLarge {
			fmt.Fprintf(&imports, "import _ %q\n", p.path)
		}
	}
	if err := os.WriteFile(filepath.Join(t.dir, "imports_test.go"), imports.Bytes(), 0o666); err != nil {
		return nil, err
	}
	binary, lines := filepath.Join(t.dir, "types.test"), filepath.Join(t.dir, "types.json")
	if args := slices.Concat([]string{"go", "test", "-vet=off", "-mod=mod", "-c", "-o", binary}, b.flags); !slices.Equal(args, t.built) {
		fmt.Fprintln(os.Stderr, "types: building", b.Name)
		if err := program.Outside(t.dir).Run(ctx, args...); err != nil {
			return nil, err
		}
		t.built = args
	}
	fmt.Fprintln(os.Stderr, "types: running", b.Name)
	// A program may link a type twice, under two import paths. The first is registered.
	in := program.Outside(t.dir).With(append(b.env, "GOLANG_PROTOBUF_REGISTRATION_CONFLICT=ignore")...)
	test := in.Command(ctx, slices.Concat([]string{binary, "-test.run=^TestEveryType$", "-test.timeout=0", "-types=" + lines, fmt.Sprintf("-samples=%d", samples), fmt.Sprintf("-seed=%d", seed)}, b.args)...)
	test.Stdout = os.Stderr
	testErr := test.Run()
	r := &run{Build: b}
	var err error
	r.Types, err = read(lines)
	if slices.ContainsFunc(r.Types, func(t typeResult) bool { return t.Differs }) {
		testErr = nil // the page has the differences
	} else if testErr != nil {
		testErr = fmt.Errorf("running TestEveryType, %s: %w", b.Name, testErr)
	}
	return r, errors.Join(ctx.Err(), testErr, err)
}

// read returns the whole lines of a file, without lines of types that were made for
// arenapb's tests.
func read(file string) ([]typeResult, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []typeResult
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var t typeResult
		if json.Unmarshal(lines.Bytes(), &t) != nil {
			break // it was cut
		}
		if !strings.HasPrefix(t.Package, arena) {
			all = append(all, t)
		}
	}
	return all, lines.Err()
}
