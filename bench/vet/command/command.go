// Package command builds heapwright, and runs heapwright vet and tests in a module.
package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/heapwright/heapwright/bench/fetch"
	"github.com/heapwright/heapwright/internal/vet"
)

// Build builds heapwright as a file in dir and returns the file's name.
func Build(ctx context.Context, dir string) (string, error) {
	tool := filepath.Join(dir, "heapwright.exe")
	build := exec.CommandContext(ctx, "go", "build", "-o", tool, "github.com/heapwright/heapwright/cmd/heapwright")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("building heapwright: %w", err)
	}
	return tool, nil
}

// Vet runs heapwright vet in dir, outside of workspaces. Its exit codes 3 and 4 are answers.
func Vet(ctx context.Context, tool, dir string, args ...string) (*vet.Document, error) {
	return VetIn(ctx, fetch.Environment(), tool, dir, args...)
}

// VetIn is Vet with an environment.
func VetIn(ctx context.Context, env []string, tool, dir string, args ...string) (*vet.Document, error) {
	cmd := exec.CommandContext(ctx, tool, append([]string{"vet", "-config", "none", "-C", dir, "-json"}, args...)...)
	cmd.Env = env
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() >= 3 {
		err = nil
	}
	if err != nil {
		if exit != nil {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return nil, err
	}
	var d vet.Document
	return &d, json.Unmarshal(out, &d)
}

var spaces = regexp.MustCompile(`_+`)

// Test runs go test in dir with further arguments, the packages among them, and
// returns, by package and name, which tests passed.
func Test(ctx context.Context, dir string, args ...string) map[string]bool {
	return TestIn(ctx, fetch.Environment(), dir, args...)
}

// TestIn is Test with an environment.
func TestIn(ctx context.Context, env []string, dir string, args ...string) map[string]bool {
	passed := map[string]bool{}
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-short", "-count=1", "-timeout=10m", "-json"}, args...)...)
	cmd.Dir, cmd.Env = dir, env
	out, _ := cmd.Output() // failures are in it
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var event struct{ Action, Package, Test string }
		if dec.Decode(&event) != nil {
			return passed
		}
		if event.Action == "pass" || event.Action == "fail" || event.Action == "skip" {
			// Some names hold the text of a message, whose spaces change with the binary.
			passed[event.Package+" "+spaces.ReplaceAllString(event.Test, "_")] = event.Action != "fail"
		}
	}
}
