package mode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/heapwright/heapwright/internal/subprocess"
)

// Toolchain is a Go toolchain as it presents itself.
type Toolchain struct {
	Version     string            // "go1.26.8"
	Env         map[string]string // the output of "go env" in the target's directory, GOFLAGS, GOMODCACHE …
	Experiments []Experiment      // sorted as in the toolchain's source
	RandomLink  bool              // the linker knows -randlayout

	// pin is the GOTOOLCHAIN that selects it; "" for one that has no release
	// name, which only the user's own settings select.
	pin string
	// preset is the GOEXPERIMENT that it was itself built with, usually none.
	// A GOEXPERIMENT of ours replaces it and has to repeat it.
	preset []string
}

// GOROOT returns the directory that the toolchain is in.
func (t *Toolchain) GOROOT() string { return t.Env["GOROOT"] }

// release matches the names of releases, the only ones that GOTOOLCHAIN can
// select: go1.20, go1.27.4, go1.27rc1.
var release = regexp.MustCompile(`^go1\.\d+(\.\d+)?((rc|beta)\d+)?$`)

// Toolchain finds the toolchain that a release name selects, "go1.27.4"; ""
// selects the one that the go command picks in the target's directory. A
// release that is not there is downloaded by the go command, which takes some
// seconds; the answer is remembered.
func (m *Machine) Toolchain(ctx context.Context, name string) (*Toolchain, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t := m.toolchains[name]; t != nil {
		return t, nil
	}
	if err := m.failures[name]; err != nil {
		return nil, err
	}
	t, err := m.findToolchain(ctx, name)
	if err != nil {
		if ctx.Err() == nil { // an interrupted search says nothing about the toolchain
			m.failures[name] = err
		}
		return nil, err
	}
	m.toolchains[name], m.toolchains[t.pin] = t, t
	return t, nil
}

func (m *Machine) findToolchain(ctx context.Context, name string) (*Toolchain, error) {
	var selected []string
	if name != "" {
		if err := checkRelease(name); err != nil {
			return nil, err
		}
		selected = []string{"GOTOOLCHAIN=" + name}
	}
	out, err := m.output(ctx, m.dir, selected, "go", "env", "-json")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("%w: install Go from https://go.dev/dl", err)
	case err != nil && name != "":
		return nil, fmt.Errorf("toolchain %s cannot be had: %w\nsee https://go.dev/dl for releases, and GOPROXY for where the go command downloads them from", name, err)
	case err != nil:
		return nil, fmt.Errorf("ask the go command for its settings: %w", err)
	}
	t := &Toolchain{}
	if err := json.Unmarshal(out, &t.Env); err != nil {
		return nil, fmt.Errorf("read the answer of go env -json: %w", err)
	}
	t.Version, _ = SplitVersion(t.Env["GOVERSION"])
	if release.MatchString(t.Version) {
		t.pin = t.Version
	}
	if name != "" && t.Version != name {
		return nil, fmt.Errorf("asked for toolchain %s, the go command answered with %s: only Go 1.21 and later can switch toolchains, update the one on PATH", name, t.Version)
	}
	if err := m.learnExperiments(ctx, t); err != nil {
		return nil, fmt.Errorf("toolchain %s: %w", t.Version, err)
	}
	t.RandomLink = linkerHas(ctx, t, "-randlayout")
	return t, nil
}

// linkerHas asks the toolchain's linker for its flags. A linker that cannot be
// asked has none.
func linkerHas(ctx context.Context, t *Toolchain, flag string) bool {
	// It answers on standard error and with status 2, being asked for help.
	link := subprocess.Command{Name: filepath.Join(t.Env["GOTOOLDIR"], "link"+t.Env["GOEXE"]), Args: []string{"-help"}}
	_, help, _ := link.Run(ctx)
	return strings.Contains(string(help), "\n  "+flag+" ")
}
