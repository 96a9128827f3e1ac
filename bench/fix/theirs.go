package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"go/version"
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

// theirDiffs returns the release's change of the folders with the mended lines, and the same
// with its tests. The folders of packages that the release adds and that these import belong
// to it.
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
	before, after := map[string][]byte{}, map[string][]byte{}
	seen := map[string]bool{}
	for len(folders) > 0 {
		folder := folders[0]
		folders = folders[1:]
		if seen[folder] {
			continue
		}
		seen[folder] = true
		old, err := sources(dirs[0], folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return diffs, err
		}
		with, err := sources(dirs[1], folder)
		if err != nil {
			return diffs, err
		}
		if err := keepEmptied(old, with); err != nil {
			return diffs, err
		}
		maps.Copy(before, old)
		maps.Copy(after, with)
		folders = append(folders, added(r.Path, dirs, with)...)
	}
	if before["go.mod"], after["go.mod"], err = languages(dirs); err != nil {
		return diffs, err
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
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

// languages returns go.mod before the release, and with the release's version of Go if that is newer.
func languages(dirs [2]string) (before, after []byte, err error) {
	before, err = os.ReadFile(filepath.Join(dirs[0], "go.mod"))
	if err != nil {
		return nil, nil, err
	}
	next, err := os.ReadFile(filepath.Join(dirs[1], "go.mod"))
	was, is := language.Find(before), language.Find(next)
	if is == nil || version.Compare(lang(is), lang(was)) <= 0 { // an older one may not do for the dependencies
		return before, before, err
	}
	return before, language.ReplaceAllLiteral(before, is), err
}

func lang(line []byte) string { return "go" + strings.TrimPrefix(string(line), "go ") }

var language = regexp.MustCompile(`(?m)^go \S+$`)

// keepEmptied gives a folder after a release the files that the release removes, without
// declarations: a proposal must not remove a file.
func keepEmptied(before, after map[string][]byte) error {
	for name, text := range before {
		if after[name] != nil {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly)
		if err != nil {
			return err
		}
		after[name] = []byte("package " + f.Name.Name + "\n")
	}
	return nil
}

// added returns the folders of packages of the module that files import, and that were not
// there before the release.
func added(module string, dirs [2]string, files map[string][]byte) (folders []string) {
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
				folders = append(folders, below)
			}
		}
	}
	return folders
}
