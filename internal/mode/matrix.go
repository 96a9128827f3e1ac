package mode

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/subprocess"
)

// DefaultMatrix returns the modes that are compared when none are named: the
// memory-relevant ones of the target's toolchain. The patterns name the
// target's packages; without any, for a program that is built already, only
// modes of the run are there.
func DefaultMatrix(ctx context.Context, m *Machine, patterns []string) ([]Mode, error) {
	t, err := m.Toolchain(ctx, "")
	if err != nil {
		return nil, err
	}
	names := []string{Default}
	greenTea, known := t.Experiment("greenteagc")
	switch {
	case len(patterns) == 0 || !known:
	case greenTea.On:
		names = append(names, "nogreenteagc")
	default:
		names = append(names, "greenteagc")
	}
	// Two steps along the same road show whether going further pays.
	names = append(names, "GOGC=200", "GOGC=400")
	if _, known := t.Experiment("arenas"); known && len(patterns) > 0 {
		uses, err := hasCodeFor(ctx, m, "arenas", patterns)
		if err != nil {
			return nil, err
		}
		if uses {
			names = append(names, "arenas")
		}
	}
	return Parse(strings.Join(names, ","))
}

// hasCodeFor reports whether the experiment changes which files of the main
// module the packages and their tests are made of. A package that cannot be
// listed counts as having none: its build will report the fault.
func hasCodeFor(ctx context.Context, m *Machine, name string, patterns []string) (bool, error) {
	var files [2]string
	for i, mode := range []Mode{{}, {Name: name, Settings: []Setting{experiment(name)}}} {
		c, err := mode.Resolve(ctx, m)
		if err != nil {
			return false, err
		}
		if files[i], err = listFiles(ctx, m, c, patterns); err != nil {
			return false, fmt.Errorf("list the files of %s: %w", strings.Join(patterns, " "), err)
		}
	}
	return files[0] != files[1], nil
}

// listFiles returns the Go files that a configuration builds, in a canonical
// order.
func listFiles(ctx context.Context, m *Machine, c Config, patterns []string) (string, error) {
	args := []string{"list", "-e", "-deps", "-test",
		"-json=ImportPath,Standard,Module,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles"}
	args = append(append(args, "--"), patterns...)
	out, err := m.output(ctx, m.dir, c.buildVariables(), "go", args...)
	if err != nil {
		return "", err
	}
	type listEntry struct {
		ImportPath                                   string
		Standard                                     bool
		Module                                       *struct{ Main bool }
		GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	}
	all, err := subprocess.Values[listEntry](out)
	if err != nil {
		return "", err
	}
	var lines []string
	for _, p := range all {
		if !p.Standard && (p.Module == nil || p.Module.Main) {
			lines = append(lines, fmt.Sprintln(p.ImportPath,
				slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles)))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, ""), nil
}
