package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/program"
)

// standard runs the checks on a copy of GOROOT. The folder src of the copy is the module
// std. It has to be the main module, because -fix changes no files of other modules.
func (s *settings) standard(ctx context.Context, m module, dir string) (*outcome, error) {
	root, err := program.In{}.Line(ctx, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
		return nil, fmt.Errorf("copying %s: %w", root, err)
	}
	cache := dir + ".cache"
	defer os.RemoveAll(cache)
	return s.apply(ctx, m, goroot(dir, cache), func() (checkout, error) { return goroot(root, cache), nil })
}

// goroot returns the checkout of the standard library in a GOROOT, which is built by the tools
// of that GOROOT. It needs its own build cache, because cached results of vet name files of the
// GOROOT in which they were made.
func goroot(dir, cache string) checkout {
	path := filepath.Join(dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	return checkout{program.Outside(filepath.Join(dir, "src")).With("GOROOT="+dir, "PATH="+path, "GOCACHE="+cache), "std"}
}

// slow has the packages of the standard library whose tests need more than a few minutes, a
// network, or a debugger.
var slow = []string{"./runtime", "./net", "./os/signal", "./go/types", "./crypto/tls"}

// some returns the packages of the standard library whose tests run.
func some(packages []string) []string {
	return slices.DeleteFunc(slices.Clone(packages), func(p string) bool {
		return slices.ContainsFunc(slow, func(s string) bool { return p == s || strings.HasPrefix(p, s+"/") })
	})
}
