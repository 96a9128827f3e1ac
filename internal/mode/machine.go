package mode

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"

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

// output runs a command and returns its standard output.
func (m *Machine) output(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	out, _, err := subprocess.Command{Dir: dir, Env: slices.Concat(m.plain, env), Name: name, Args: args}.Run(ctx)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("%s is not on PATH: %w", name, err)
	case errors.Is(err, os.ErrNotExist) && dir != "":
		return nil, fmt.Errorf("run %s in %s: %w", name, dir, err)
	}
	return out, err
}
