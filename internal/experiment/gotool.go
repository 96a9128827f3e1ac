package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
)

// goCommand runs the go command of a cell's toolchain among the cell's sources
// and returns what it printed.
func goCommand(ctx context.Context, c *Cell, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = c.Dir
	cmd.Env = mode.BuildEnv(c.Config)
	// The compilers that it starts hold the pipes open when it is killed.
	cmd.WaitDelay = 2 * time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("go %s: %w", args[0], goError(err, errs.String()))
	}
	return out.Bytes(), nil
}

// goError prefers what the go command said over its exit status: the lines
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

// goPackage is what is needed of `go list -json`.
type goPackage struct {
	probe.Package
	Error *struct{ Err string }
}

func (p goPackage) hasTests() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// listPackages resolves package patterns under the cell's toolchain, tags and
// experiments: these decide which files belong to a package.
func listPackages(ctx context.Context, c *Cell, patterns []string) ([]goPackage, error) {
	args := []string{"list", "-e", "-json=Dir,ImportPath,Name,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Error"}
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
			return nil, fmt.Errorf("%s", firstLine(p.Error.Err))
		}
		pkgs = append(pkgs, p)
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("no Go package matches %s in %s", strings.Join(patterns, " "), c.Dir)
	}
	return pkgs, nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
