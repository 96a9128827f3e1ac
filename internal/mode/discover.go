package mode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	gotoken "go/token"
	"path/filepath"
	"regexp"
	"strings"
)

// Experiment is one GOEXPERIMENT that a toolchain knows.
type Experiment struct {
	Name   string // "greenteagc"
	Doc    string // first sentence of its description in the toolchain's source; may be empty
	On     bool   // enabled by default on this toolchain and platform
	Fixed  bool   // cannot be changed on this platform
	Memory bool   // is about memory, by its name and description
}

// Experiment returns the experiment of a name without "no".
func (t *Toolchain) Experiment(name string) (Experiment, bool) {
	for _, e := range t.Experiments {
		if e.Name == name {
			return e, true
		}
	}
	return Experiment{}, false
}

// learnExperiments asks the toolchain itself: its source names and describes
// the experiments, and the go command's tool tags list those that are on. The tags
// are surer than the source of internal/buildcfg, where some defaults are
// computed from the platform.
func (m *Machine) learnExperiments(ctx context.Context, t *Toolchain) error {
	src := filepath.Join(t.GOROOT(), "src")
	list, err := readExperiments(filepath.Join(src, "internal", "goexperiment", "flags.go"))
	if err != nil {
		return fmt.Errorf("read its experiments: %w", err)
	}
	// In the standard library's own module nothing of the target's go.mod,
	// which may ask for a newer Go, and nothing of the user's settings, which
	// may turn experiments on, is in the way.
	pristine := []string{"GOENV=off", "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=" + cmp.Or(t.pin, "local")}
	tags := func(goexperiment string) (string, error) {
		out, err := m.output(ctx, src, append(pristine, "GOEXPERIMENT="+goexperiment), "go", "list", "-f",
			"{{context.ToolTags}}", "unsafe")
		return " " + strings.Trim(string(out), "[]\r\n") + " ", err
	}
	on, err := tags("")
	if err != nil {
		return fmt.Errorf("ask which experiments are on: %w", err)
	}
	var opposite []string
	for i, e := range list {
		if list[i].On = strings.Contains(on, " goexperiment."+e.Name+" "); list[i].On {
			opposite = append(opposite, "no"+e.Name)
		} else {
			opposite = append(opposite, e.Name)
		}
	}
	// Some platforms hold experiments at one value whatever is asked: turning
	// all over shows which. Where the toolchain refuses the combination, that
	// stays unknown until the proof of the built binary.
	if turned, err := tags(strings.Join(opposite, ",")); err == nil {
		for i, e := range list {
			list[i].Fixed = e.On == strings.Contains(turned, " goexperiment."+e.Name+" ")
		}
	}
	t.Experiments = list

	if t.Env["GOEXPERIMENT"] == "" {
		return nil
	}
	// With none in the environment, this one is either of "go env -w", which
	// is set aside, or built into the toolchain, which belongs to it.
	builtIn, err := m.output(ctx, src, pristine, "go", "env", "GOEXPERIMENT")
	if err != nil {
		return fmt.Errorf("ask for its built-in GOEXPERIMENT: %w", err)
	}
	t.preset = strings.FieldsFunc(string(builtIn), func(r rune) bool { return r == ',' || r == '\n' || r == '\r' })
	return nil
}

// readExperiments reads the fields of the struct Flags, whose names in lower
// case are the experiments.
func readExperiments(file string) ([]Experiment, error) {
	parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var flags *ast.StructType
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == "Flags" {
			flags, _ = spec.Type.(*ast.StructType)
		}
		return flags == nil
	})
	if flags == nil {
		return nil, errors.New("no struct Flags in " + file)
	}
	var list []Experiment
	for _, field := range flags.Fields.List {
		for _, name := range field.Names {
			e := Experiment{Name: strings.ToLower(name.Name)}
			e.Doc = new(doc.Package).Synopsis(field.Doc.Text())
			e.Memory = aboutMemory.MatchString(e.Name) || aboutMemory.MatchString(strings.ToLower(field.Doc.Text()))
			list = append(list, e)
		}
	}
	return list, nil
}

// aboutMemory sorts the experiments in lists, nothing more. The word map is there for
// map implementations, which change allocations.
var aboutMemory = regexp.MustCompile(`gc$|^map|map$|heap|malloc|alloc|arena|memory|garbage|\bfree\b`)

// tableNames returns the names in a table of the toolchain's source: a
// variable that is a slice of structs, each with a Name, a name, or a string
// as its first field. A file or a variable that is not there has no names.
func tableNames(file, variable string) []string {
	parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var names []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != variable || len(spec.Values) != 1 {
			return true
		}
		table, ok := spec.Values[0].(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, entry := range table.Elts {
			row, ok := entry.(*ast.CompositeLit)
			if !ok || len(row.Elts) == 0 {
				continue
			}
			first := row.Elts[0] // the name comes first in every table so far
			if kv, ok := first.(*ast.KeyValueExpr); ok {
				first = kv.Value
			}
			if lit, ok := first.(*ast.BasicLit); ok && lit.Kind == gotoken.STRING {
				names = append(names, strings.Trim(lit.Value, "`\""))
			}
		}
		return false
	})
	return names
}
