package target

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// goCommand runs the go command of a cell's toolchain among the cell's sources
// and returns its standard output.
func goCommand(ctx context.Context, c *Cell, args ...string) ([]byte, error) {
	cmd := subprocess.Command{Dir: c.Dir, Env: mode.BuildEnv(c.Config), Name: "go", Args: args}
	out, _, err := cmd.Run(ctx)
	if e := (*subprocess.Error)(nil); errors.As(err, &e) && choosesGo(c) {
		e.Remedy = ""
	}
	return out, err
}

// choosesGo reports whether the cell's mode names a release of Go: then no installation
// mends an error about the release.
func choosesGo(c *Cell) bool {
	return strings.Contains(mode.BuildPart(c.Config), c.Config.Go.Version)
}

// goPackage is the part of `go list -json` that targets need.
type goPackage struct {
	inject.Package
	Module *goModule // nil in the standard library
	Error  *struct{ Err string }
}

func (p goPackage) hasTests() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

var benchmark = regexp.MustCompile(`func\s+Benchmark`)

// hasBenchmarks reports whether the package's test files declare a benchmark. To link
// the tests of the others would take most of the time in a large module.
func (p goPackage) hasBenchmarks() bool {
	return slices.ContainsFunc(slices.Concat(p.TestGoFiles, p.XTestGoFiles), func(name string) bool {
		text, err := source.ReadFile(filepath.Join(p.Dir, name))
		return err != nil || benchmark.Match(text)
	})
}

// listPackages resolves package patterns under the cell's toolchain, tags and
// experiments: these decide which files belong to a package.
func listPackages(ctx context.Context, c *Cell, patterns []string) ([]goPackage, error) {
	args := []string{"list", "-e", "-json=Dir,ImportPath,Name,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Module,Error"}
	flags, err := c.sourceFlags()
	if err != nil {
		return nil, err
	}
	out, err := goCommand(ctx, c, slices.Concat(args, flags, []string{"--"}, patterns)...)
	if err != nil {
		return nil, err
	}
	pkgs, err := subprocess.Values[goPackage](out)
	if err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		if p.Error != nil {
			message := firstLine(p.Error.Err)
			if !choosesGo(c) {
				message += subprocess.Remedy(p.Error.Err)
			}
			return nil, errors.New(message)
		}
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("no Go package matches %s in %s", strings.Join(patterns, " "), c.Dir)
	}
	return pkgs, nil
}

// firstLine returns the first line of a message, with the next one if it announces that.
func firstLine(s string) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if strings.HasSuffix(line, ":") && rest != "" {
		line += " " + firstLine(rest)
	}
	return line
}
