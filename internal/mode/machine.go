package mode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"github.com/heapwright/heapwright/internal/goerror"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// Machine is the surroundings that modes are checked against: the target's directory,
// the environment that its processes start from, and the abilities of the computer,
// which are found out on demand and remembered. Its methods may be called
// concurrently.
type Machine struct {
	dir     string
	environ []string
	plain   []string // environ without the variables that modes decide

	mu         sync.Mutex
	toolchains map[string]*Toolchain
	failures   map[string]error
}

// NewMachine returns this machine with a target in a directory, "" for the
// current one.
func NewMachine(dir string) *Machine { return newMachine(dir, os.Environ()) }

func newMachine(dir string, environ []string) *Machine {
	return &Machine{
		dir:        dir,
		environ:    environ,
		plain:      withoutSetAside(environ),
		toolchains: map[string]*Toolchain{},
		failures:   map[string]error{},
	}
}

// output runs a command and returns its standard output. The error is the
// command's own words, in one line.
func (m *Machine) output(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := subprocess.Command(ctx, dir, name, args...)
	cmd.Env = slices.Concat(m.plain, env)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case err == nil:
		return stdout.Bytes(), nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), ctx.Err())
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("%s is not on PATH: %w", name, err)
	case errors.Is(err, os.ErrNotExist) && dir != "":
		return nil, fmt.Errorf("run %s in %s: %w", name, dir, err)
	}
	if words := complaint(stderr.String()); words != "" {
		return nil, errors.New(words + goerror.Remedy(stderr.String()))
	}
	return nil, fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
}

// complaint returns the line of a command's standard error that names the fault: the
// first that is not about progress.
func complaint(stderr string) string {
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "go: downloading ") && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return ""
}
