package source

import (
	"context"
	"slices"

	"github.com/heapwright/heapwright/internal/subprocess"
)

// location is where the go command finds a package. A name that it does not know has no
// folder.
type location struct {
	ImportPath, Dir, Name string
	Standard              bool
	Module                *struct {
		Module
		Main    bool
		Replace *Module
	}
}

// list asks the go command where packages are, without loading them.
func list(ctx context.Context, o Options, patterns []string) (all []location, err error) {
	args := append([]string{"list", "-e", "-find", "-json=ImportPath,Dir,Name,Standard,Module", "--"}, patterns...)
	out, _, err := goCommand(ctx, o, o.Dir, args...)
	if err != nil {
		return nil, err
	}
	return subprocess.Values[location](out)
}

// IsPackage reports whether a name is the import path of a package that the
// program's module can import.
func IsPackage(ctx context.Context, o Options, name string) bool {
	all, err := list(ctx, o, []string{name})
	return err == nil && slices.ContainsFunc(all, func(p location) bool { return p.Dir != "" })
}

// DependenciesOf returns the paths of the modules that packages belong to and
// that the program depends on. Packages that the go command does not know have
// none.
func DependenciesOf(ctx context.Context, o Options, patterns []string) (paths []string) {
	all, _ := list(ctx, o, patterns)
	for _, p := range all {
		if m := p.Module; m != nil && !m.Main && !slices.Contains(paths, m.Path) {
			paths = append(paths, m.Path)
		}
	}
	return paths
}

// programs returns the folders of the packages main among those that were run, if they
// are of the program's own modules.
func (x *Index) programs(ctx context.Context) (dirs []string) {
	if len(x.options.Programs) == 0 {
		return nil
	}
	all, _ := list(ctx, x.options, x.options.Programs)
	for _, p := range all {
		if _, own := x.owner(p.Dir); own && p.Name == "main" {
			dirs = append(dirs, p.Dir)
		}
	}
	return dirs
}
