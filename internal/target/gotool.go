package target

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/goerror"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// goCommand runs the go command of a cell's toolchain among the cell's sources
// and returns its standard output.
func goCommand(ctx context.Context, c *Cell, args ...string) ([]byte, error) {
	cmd := subprocess.Command(ctx, c.Dir, "go", args...)
	cmd.Env = mode.BuildEnv(c.Config)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("go %s: %w%s", args[0], goError(err, errs.String()), remedy(c, errs.String()))
	}
	return out.Bytes(), nil
}

// goError prefers the messages of the go command to its exit status: the lines
// that name a place, at most a few.
func goError(err error, stderr string) error {
	var lines []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "go: downloading") {
			continue
		}
		if lines = append(lines, line); len(lines) == 3 {
			break
		}
	}
	if len(lines) == 0 {
		return err
	}
	return errors.New(strings.Join(lines, "; "))
}

// goPackage is the part of `go list -json` that targets need.
type goPackage struct {
	probe.Package
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
	args = append(args, mode.BuildFlags(c.Config)...)
	out, err := goCommand(ctx, c, append(append(args, "--"), patterns...)...)
	if err != nil {
		return nil, err
	}
	var pkgs []goPackage
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.Error != nil {
			return nil, errors.New(firstLine(p.Error.Err) + remedy(c, p.Error.Err))
		}
		pkgs = append(pkgs, p)
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("no Go package matches %s in %s", strings.Join(patterns, " "), c.Dir)
	}
	return pkgs, nil
}

// remedy adds to the go command's messages, unless they are about a Go that the cell's
// mode chose: no installation helps that.
func remedy(c *Cell, messages string) string {
	if strings.Contains(mode.BuildPart(c.Config), c.Config.Go.Version) {
		return ""
	}
	return goerror.Remedy(messages)
}

// firstLine returns the first line of a message, with the next one if it announces that.
func firstLine(s string) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if strings.HasSuffix(line, ":") && rest != "" {
		line += " " + firstLine(rest)
	}
	return line
}
