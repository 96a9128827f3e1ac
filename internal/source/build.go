package source

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/heapwright/heapwright/internal/source/escape"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// listEntry holds the fields of `go list -json` that are needed of a package.
type listEntry struct {
	ImportPath, Dir, Name, Export string
	GoFiles, CgoFiles             []string
	IgnoredGoFiles                []string
	DepOnly                       bool
	Error                         *goError
	DepsErrors                    []*goError
	ImportMap                     map[string]string
}

type goError struct{ Err string }

// files returns the package's Go files that people wrote.
func (p listEntry) files() []string {
	return absolute(p.Dir, slices.Concat(p.GoFiles, p.CgoFiles))
}

// absolute returns the paths of the files that lie in a folder. The main function of a
// test, which the go command makes, does not.
func absolute(dir string, names []string) []string {
	var all []string
	for _, f := range names {
		if !filepath.IsAbs(f) {
			all = append(all, filepath.Join(dir, f))
		}
	}
	return all
}

// build is what compile gets from the go command.
type build struct {
	packages []listEntry
	deps     []listEntry
	exports  map[string]string // files of export data by import path
	escapes  []escape.Value    // File is absolute
}

// listExports are the arguments of compile without packages. Files have the names that
// they have on this machine, whatever GOFLAGS says. For a version stamp, the go command
// would run git, and git the programs that the repository's configuration names.
var listExports = []string{"list", "-e", "-export", "-deps", "-trimpath=false", "-buildvcs=false", "-gcflags=-m=2",
	"-json=ImportPath,Dir,Name,Export,GoFiles,CgoFiles,IgnoredGoFiles,DepOnly,Error,DepsErrors,ImportMap"}

// compile compiles the packages in folders with -m=2.
//
// That is done by go list -export, which is go build without the link; the compiler's
// output is in the build cache with the package, and printed again when nothing had
// to be compiled. -gcflags is for the named packages alone. With -e
// a package that does not build has an Error and the others are built.
func (x *Index) compile(ctx context.Context, folders map[string]bool, tests bool) (build, error) {
	b := build{exports: map[string]string{}}
	others := map[string]bool{} // vendor lies in the module's folder
	for _, d := range x.dependencies {
		others[d.dir] = true
	}
	for _, m := range x.modules {
		args := slices.Clone(listExports)
		if tests {
			args = append(args, "-test")
		}
		args = append(args, "--")
		none := len(args)
		for folder := range folders {
			if own, ok := x.owner(folder); ok && own.Dir == m.Dir && !others[folder] {
				rel, err := filepath.Rel(m.Dir, folder)
				if err != nil {
					return b, fmt.Errorf("source: %w", err)
				}
				args = append(args, "./"+filepath.ToSlash(rel))
			}
		}
		if len(args) == none {
			continue
		}
		slices.Sort(args[none:])
		out, errs, err := goCommand(ctx, x.options, m.Dir, args...)
		if err != nil {
			return b, fmt.Errorf("source: %w", err)
		}
		if err := b.add(out, errs, m.Dir); err != nil {
			return b, err
		}
	}
	return b, x.buildDependencies(ctx, folders, &b)
}

func (b *build) add(out, errs []byte, dir string) error {
	all, err := subprocess.Values[listEntry](out)
	if err != nil {
		return fmt.Errorf("source: %w", err)
	}
	for _, p := range all {
		if p.Export != "" {
			b.exports[p.ImportPath] = p.Export
		}
		if p.DepOnly {
			b.deps = append(b.deps, p)
		} else {
			b.packages = append(b.packages, p)
		}
	}
	escapes, err := escape.Parse(bytes.NewReader(errs))
	if err != nil {
		return fmt.Errorf("source: %w", err)
	}
	for _, e := range escapes {
		if !filepath.IsAbs(e.File) {
			e.File = filepath.Join(dir, e.File)
		}
		b.escapes = append(b.escapes, e)
	}
	return nil
}

// owner returns the module that a folder of this machine is in.
func (x *Index) owner(folder string) (module, bool) {
	var best module
	for _, m := range x.modules {
		rel, err := filepath.Rel(m.Dir, folder)
		if err == nil && filepath.IsLocal(rel) && len(m.Dir) > len(best.Dir) {
			best = m
		}
	}
	return best, best.Dir != ""
}
