package vet

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// The go command runs the tool on named packages for reports, and on the others
// that they import for facts alone. Its cache does not distinguish the two (Go
// 1.26, cmd/go/internal/work/exec.go, (*Builder).vet): a package that was first
// seen as a dependency has no reports afterwards. With the flag -dependencies the
// tool therefore reports on all packages that Own holds for, named or not, and
// Run drops the reports on packages that are not named. Almost all runs name
// packages of that kind only. They share all their results, and the facts of the
// standard library and of other modules cost no more than before. If a run names
// other packages, it shares results only with runs that name the same ones: the
// value of the flag is a hash of their paths.

// WithTests follows the path of a package in the tool's output if its test files
// belong to it. The go command gives the package without them the same path.
const WithTests = " [with tests]"

// Own reports whether a package is neither of the standard library nor in the
// module cache nor vendored.
func Own(path, dir string) bool {
	return !owner.OfStandard(path) && !owner.Fetched(dir+"/")
}

// root is a package that a pattern names.
type root struct {
	ImportPath, Name, Dir                        string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
}

func listNamed(ctx context.Context, dir string, patterns []string) ([]root, error) {
	args := append([]string{"list", "-e", "-find",
		"-json=ImportPath,Name,Dir,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles", "--"}, patterns...)
	out, messages, err := goCommand(ctx, dir, args...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, noneChecked(messages, err)
	}
	return subprocess.Values[root](out)
}

// roots returns the names that the tool uses for the packages, one for each that the
// go command checks: a package with tests stands for the one without.
func roots(all []root) map[string]bool {
	names := map[string]bool{}
	for _, p := range all {
		if p.Name == "" {
			continue // there is no such package
		}
		if len(p.TestGoFiles) > 0 {
			names[p.ImportPath+WithTests] = true
		} else {
			names[p.ImportPath] = true
		}
		names[p.ImportPath+"_test"+WithTests] = true
	}
	return names
}

// files returns the files of the packages, without those that cgo rewrites.
func files(all []root) map[string]bool {
	names := map[string]bool{}
	for _, p := range all {
		for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			names[filepath.Join(p.Dir, name)] = true
		}
	}
	return names
}

// sharing returns the value of -dependencies: runs with equal values may share
// results.
func sharing(all []root) string {
	var others []string
	for _, p := range all {
		if !Own(p.ImportPath, p.Dir) {
			others = append(others, p.ImportPath)
		}
	}
	if len(others) == 0 {
		return "own"
	}
	slices.Sort(others)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(others, "\n"))))[:16]
}
