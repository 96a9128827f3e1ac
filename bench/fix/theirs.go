package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/bench/internal/fetch"
	"github.com/heapwright/heapwright/bench/internal/survey"
	"github.com/heapwright/heapwright/internal/edit"
)

// theirDiffs returns the release's change of the folders with the mended lines, and the
// same with its tests. A proposal must not make files, so declarations of new files move
// into one that is there. Both are empty if the change imports a package that the release
// adds.
func theirDiffs(ctx context.Context, s *survey.Survey, r *truth.Release) (diffs [2]string, err error) {
	var dirs [2]string
	for i, version := range []string{r.Before, r.After} {
		dirs[i] = filepath.Join(s.Out, r.Name+"-versions", fmt.Sprint(i))
		if err := fetch.Module(ctx, r.Path+"@"+version, dirs[i]); err != nil {
			return diffs, err
		}
	}
	folders := []string{path.Clean(r.Package)}
	for _, p := range r.Mended {
		file, _, _ := strings.Cut(p.At, ":")
		folders = append(folders, path.Dir(file))
	}
	slices.Sort(folders)
	before, after := map[string][]byte{}, map[string][]byte{}
	for _, folder := range slices.Compact(folders) {
		old, err := sources(dirs[0], folder)
		if err != nil {
			return diffs, err
		}
		with, err := sources(dirs[1], folder)
		if err != nil {
			return diffs, err
		}
		if err := merge(old, with); err != nil {
			return diffs, err
		}
		maps.Copy(before, old)
		maps.Copy(after, with)
	}
	if addsPackage(r.Path, dirs, after) {
		return diffs, nil
	}
	if before["go.mod"], after["go.mod"], err = languages(dirs); err != nil {
		return diffs, err
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if bytes.Equal(before[name], after[name]) {
			continue
		}
		diff := string(edit.Diff(name, before[name], after[name]))
		if diffs[1] += diff; !strings.HasSuffix(name, "_test.go") {
			diffs[0] += diff
		}
	}
	return diffs, nil
}

// sources returns the Go files of a folder that are compiled, by their names with slashes.
func sources(dir, folder string) (map[string][]byte, error) {
	at := filepath.Join(dir, filepath.FromSlash(folder))
	entries, err := os.ReadDir(at)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		match, err := build.Default.MatchFile(at, e.Name())
		if err != nil || !match || path.Ext(e.Name()) != ".go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(at, e.Name()))
		if err != nil {
			return nil, err
		}
		files[path.Join(folder, e.Name())] = text
	}
	return files, nil
}

// languages returns go.mod before the release, and with the release's version of Go.
func languages(dirs [2]string) (before, after []byte, err error) {
	before, err = os.ReadFile(filepath.Join(dirs[0], "go.mod"))
	if err != nil {
		return nil, nil, err
	}
	next, err := os.ReadFile(filepath.Join(dirs[1], "go.mod"))
	if version := language.Find(next); version != nil {
		return before, language.ReplaceAllLiteral(before, version), err
	}
	return before, before, err
}

var language = regexp.MustCompile(`(?m)^go \S+$`)

// merge gives a folder after a release the files from before it.
func merge(before, after map[string][]byte) error {
	into := map[string]string{} // the first changed file of each package
	for _, name := range slices.Sorted(maps.Keys(before)) {
		text, has := after[name]
		pkg, clause, err := packageOf(name, before[name])
		switch {
		case err != nil:
			return err
		case !has: // files that the release removes keep no declarations
			after[name] = []byte(clause)
		case into[pkg] == "" && !bytes.Equal(text, before[name]):
			into[pkg] = name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if before[name] != nil {
			continue
		}
		pkg, _, err := packageOf(name, after[name])
		if err != nil {
			return err
		}
		if to := into[pkg]; to != "" {
			if after[to], err = appended(after[to], after[name]); err != nil {
				return err
			}
		}
		delete(after, name)
	}
	return nil
}

// packageOf returns the package of a file, in which its tests are another one, and the
// package clause.
func packageOf(name string, text []byte) (pkg, clause string, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly)
	if err != nil {
		return "", "", err
	}
	return fmt.Sprint(f.Name.Name, strings.HasSuffix(name, "_test.go")), "package " + f.Name.Name + "\n", nil
}

// appended returns a file with the imports and declarations of another one.
func appended(text, more []byte) ([]byte, error) {
	fset := token.NewFileSet()
	to, err := parser.ParseFile(fset, "", text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	from, err := parser.ParseFile(fset, "", more, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var imports strings.Builder
	for _, i := range from.Imports {
		has := slices.ContainsFunc(to.Imports, func(o *ast.ImportSpec) bool { return o.Path.Value == i.Path.Value })
		if !has {
			imports.WriteString("\nimport " + string(more[fset.Position(i.Pos()).Offset:fset.Position(i.End()).Offset]) + "\n")
		}
	}
	rest := fset.Position(from.Name.End()).Offset
	if n := len(from.Decls); n > 0 {
		rest = fset.Position(from.Decls[n-1].End()).Offset
	}
	clause := fset.Position(to.Name.End()).Offset
	return slices.Concat(text[:clause], []byte("\n"+imports.String()), text[clause:], more[rest:]), nil
}

// addsPackage reports whether files import a package of their module that was not there
// before the release.
func addsPackage(module string, dirs [2]string, files map[string][]byte) bool {
	for name, text := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			continue // building says so
		}
		for _, i := range f.Imports {
			below, own := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module+"/")
			if !own {
				continue
			}
			_, before := os.Stat(filepath.Join(dirs[0], below))
			_, after := os.Stat(filepath.Join(dirs[1], below))
			if errors.Is(before, fs.ErrNotExist) && after == nil {
				return true
			}
		}
	}
	return false
}
