package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/patch"
)

const (
	corpus       = "../internal/rules/testdata/corpus"
	corpusImport = "github.com/heapwright/heapwright/internal/rules/testdata/corpus/"
	plantsImport = "example.org/planted/"
)

// harness hands the work of a program to its benchmark or its test.
const harness = `// Package harness runs the work of a program.
package harness

// Each runs the work as often as a benchmark or a test asks for.
var Each func(work func())

// Run runs the work of the program.
func Run(work func()) { Each(work) }
`

const benchmark = `
func BenchmarkWork(b *testing.B) {
	harness.Each = func(work func()) {
		for b.Loop() {
			work()
		}
	}
	main()
}

func TestWork(t *testing.T) {
	harness.Each = func(work func()) {
		for range 3 {
			work()
		}
	}
	main()
}
`

// write writes the program as a module with a benchmark and a test.
func (f *fault) write(name, dir string) error {
	main, err := os.ReadFile(filepath.Join(corpus, name, "main.go"))
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	imports := append([]string{"testing", plantsImport + "harness"}, f.Imports...)
	if len(f.Want) > 0 {
		imports = append(imports, "fmt")
	}
	for _, path := range imports {
		fmt.Fprintf(&b, "\t%q\n", path)
	}
	b.WriteString(")\n" + benchmark)
	if len(f.Want) > 0 {
		b.WriteString("\nfunc TestResults(t *testing.T) {\n")
		for _, expr := range slices.Sorted(maps.Keys(f.Want)) {
			fmt.Fprintf(&b, "\tif got := fmt.Sprint(%s); got != %q {\n", expr, f.Want[expr])
			b.WriteString("\t\tt.Errorf(\"%q\", got)\n\t}\n")
		}
		b.WriteString("}\n")
	}
	return writeAll(dir, map[string]string{
		"go.mod":             "module example.org/planted\n\ngo 1.26\n",
		"harness/harness.go": harness,
		"main.go":            own(string(main)),
		"main_test.go":       b.String(),
	})
}

// own lets source import the harness of the module.
func own(source string) string { return strings.ReplaceAll(source, corpusImport, plantsImport) }

// cure writes the cure by hand to a file, and runs the test with it in another copy.
func (f *fault) cure(ctx context.Context, name, dir string) (file string, err error) {
	text, err := plants.ReadFile("planted/" + name + ".diff")
	if err != nil {
		return "", err
	}
	diff := own(string(text))
	cured := filepath.Join(dir, "cured")
	if err := errors.Join(f.write(name, cured), writeAll(dir, map[string]string{"cure.diff": diff})); err != nil {
		return "", err
	}
	p, err := patch.Parse([]byte(diff))
	if err != nil {
		return "", fmt.Errorf("%s.diff: %w", name, err)
	}
	texts, err := p.Apply(patch.Read, cured)
	if err != nil {
		return "", err
	}
	if inject.UsesArena(texts) {
		if err := inject.LayArena(texts, patch.Read); err != nil {
			return "", err
		}
	}
	for name, text := range texts {
		err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, bytes.Clone(text), 0o666))
		if err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "cure.diff"), program.Outside(cured).Run(ctx, "go", "test", "./...")
}

func writeAll(dir string, files map[string]string) error {
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666))
		if err != nil {
			return err
		}
	}
	return nil
}
