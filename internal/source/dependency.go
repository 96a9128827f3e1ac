package source

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/owner"
)

// Module is a module that the program depends on, at the version that is built.
type Module struct {
	Path    string
	Version string // "" where it is replaced by a folder
}

// dependency is a package of another module.
type dependency struct {
	dir    string
	module Module
}

// Resolve finds the modules and folders of packages that are not of the
// program's own, in the module cache, below vendor or where go.mod replaces
// them. The go command decides, by the program's build list. Packages that it
// does not know are left out. It is called once, before Study.
func (x *Index) Resolve(ctx context.Context, packages []string) error {
	packages = slices.DeleteFunc(slices.Clone(packages), func(pkg string) bool {
		_, own := x.module(pkg)
		return own || pkg == "" || len(pkg) > input.LongestName || pkg == "main" || owner.OfStandard(pkg) ||
			strings.HasPrefix(pkg, "-")
	})
	if len(packages) == 0 {
		return nil
	}
	found, err := list(ctx, x.options, packages)
	if err != nil {
		return fmt.Errorf("source: %w", err)
	}
	for _, p := range found {
		if p.Dir == "" || p.Standard || p.Module == nil {
			continue
		}
		m := p.Module.Module
		if r := p.Module.Replace; r != nil {
			m.Version = r.Version
		}
		x.dependencies[p.ImportPath] = dependency{p.Dir, m}
	}
	return nil
}

// Dependency returns the module of a function of another module, and the name
// of its file within that. It is false where Resolve did not find the module.
func (x *Index) Dependency(function, file string) (m Module, name string, ok bool) {
	if x == nil || function == "" {
		return Module{}, "", false
	}
	pkg := x.packageAt(function, file)
	d, ok := x.dependencies[pkg]
	if !ok {
		return Module{}, "", false
	}
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	return d.module, path.Join(strings.TrimPrefix(strings.TrimPrefix(pkg, d.module.Path), "/"), base), true
}

// included reports whether a package is looked into as if it were the program's
// own. Patterns match the beginning of its path, element by element, as in GOPRIVATE.
func (x *Index) included(pkg string) bool {
	if x.options.Modules == "" || owner.OfStandard(pkg) || pkg == "main" {
		return false
	}
	elements := strings.Split(pkg, "/")
	for pattern := range strings.SplitSeq(x.options.Modules, ",") {
		n := strings.Count(pattern, "/") + 1
		if pattern == "" || n > len(elements) {
			continue
		}
		if matched, _ := path.Match(pattern, strings.Join(elements[:n], "/")); matched {
			return true
		}
	}
	return false
}

// buildDependencies compiles packages of other modules with -m=2, from the
// program's module, so that the build list, the tags and vendor are its own.
func (x *Index) buildDependencies(ctx context.Context, folders map[string]bool, b *build) error {
	var packages []string
	for pkg, d := range x.dependencies {
		if folders[d.dir] {
			packages = append(packages, pkg)
		}
	}
	if len(packages) == 0 {
		return nil
	}
	slices.Sort(packages)
	dir, err := filepath.Abs(x.options.Dir)
	if err != nil {
		return fmt.Errorf("source: %w", err)
	}
	out, errs, err := goCommand(ctx, x.options, dir, append(slices.Clone(listExports), packages...)...)
	if err != nil {
		return fmt.Errorf("source: %w", err)
	}
	return b.add(out, errs, dir)
}
