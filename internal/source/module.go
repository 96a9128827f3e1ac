package source

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// module is one of the modules that are being worked on: the main module, or a module of
// the workspace.
type module struct {
	Path, Dir string
	GoVersion string // the language version in go.mod
	Main      bool
}

// mainModules asks the go command which modules the folder works on.
func mainModules(ctx context.Context, o Options) ([]module, error) {
	out, _, err := goCommand(ctx, o, o.Dir, "list", "-m", "-json")
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	all, err := subprocess.Values[module](out)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	all = slices.DeleteFunc(all, func(m module) bool { return !m.Main || m.Dir == "" })
	if len(all) == 0 {
		return nil, fmt.Errorf("source: no module in %s: name the program's folder", orHere(o.Dir))
	}
	return all, nil
}

// module returns the module of a package, the one with the longest path where
// one lies within another.
func (x *Index) module(pkg string) (module, bool) {
	var best module
	for _, m := range x.modules {
		if (pkg == m.Path || strings.HasPrefix(pkg, m.Path+"/")) && len(m.Path) > len(best.Path) {
			best = m
		}
	}
	return best, best.Path != ""
}

// Works reports whether a module is one of those that are worked on.
func (x *Index) Works(path string) bool {
	return slices.ContainsFunc(x.modules, func(m module) bool { return m.Path == path })
}

// ModuleDir returns the folder of the module that a file of this machine is in, "" if it is
// in none that is worked on.
func (x *Index) ModuleDir(file string) string {
	m, _ := x.owner(filepath.Dir(file))
	return m.Dir
}

// Language returns the version of Go in the go.mod of the module that a file of the
// profiles is in, such as "go1.21"; "" where it is not known.
func (x *Index) Language(file string) string {
	if x == nil {
		return ""
	}
	var in module
	local := x.local[file]
	for _, m := range x.modules {
		below, err := filepath.Rel(m.Dir, local)
		if len(x.modules) == 1 || err == nil && filepath.IsLocal(below) && len(m.Dir) > len(in.Dir) {
			in = m
		}
	}
	if in.GoVersion == "" {
		return ""
	}
	return "go" + in.GoVersion
}

// find returns where the file of a profile lies on this machine, "" where it is
// not found. The function is needed for files of a program built elsewhere.
//
// A package's path says where its folder is within the module, wherever the
// program was built. Package main has none: its file is taken as it is named,
// as -trimpath names it, or as the longest end of its name that is in a module.
func (x *Index) find(function, file string) string {
	if len(file) > input.LongestName {
		return ""
	}
	file = strings.ReplaceAll(file, `\`, "/")
	pkg := path.Dir(file) // the package, if -trimpath was used
	if of := x.packageAt(function, file); function != "" && of != "main" {
		pkg = of
		if strings.HasSuffix(file, "_test.go") {
			pkg = strings.TrimSuffix(pkg, "_test")
		}
	}
	if m, ok := x.module(pkg); ok {
		local := existing(filepath.Join(m.Dir, filepath.FromSlash(strings.TrimPrefix(pkg, m.Path)), path.Base(file)))
		if local != "" || !strings.Contains(function, ".func") {
			return local
		}
		// A function literal is named for the function that its own is inlined into,
		// whose package may be another one.
	}
	if d, ok := x.dependencies[pkg]; ok {
		return existing(filepath.Join(d.dir, path.Base(file)))
	}
	if local := filepath.FromSlash(file); filepath.IsAbs(local) && existing(local) != "" {
		return local
	}
	for rest := file; rest != ""; {
		_, rest, _ = strings.Cut(rest, "/")
		for _, m := range x.modules {
			if local := existing(filepath.Join(m.Dir, filepath.FromSlash(rest))); local != "" && rest != "" {
				return local
			}
		}
	}
	return ""
}

func existing(name string) string {
	if info, err := os.Stat(name); err != nil || info.IsDir() {
		return ""
	}
	return name
}

// packageOf returns the import path in a symbol name; the linker escapes dots
// in the last element.
func packageOf(function string) string {
	if i := strings.IndexByte(function, '['); i >= 0 {
		function = function[:i] // type arguments have paths of their own
	}
	slash := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[slash:], ".")
	pkg := function[:slash] + name
	if plain, err := url.PathUnescape(pkg); err == nil {
		return plain
	}
	return pkg
}

func orHere(dir string) string {
	if dir == "" {
		return "the current folder"
	}
	return dir
}
