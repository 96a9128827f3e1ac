// Package cgroup makes memory control groups, of version 1 or 2. A container's
// memory limit is one of these.
package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Group is a memory control group.
type Group struct{ dir string }

// mount is the folder of the control groups.
const mount = "/sys/fs/cgroup"

// hierarchies have the memory controller, in version 1 or 2.
var hierarchies = []struct{ controller, limit, swap string }{
	{"memory", "memory.limit_in_bytes", "memory.swappiness"},
	{"", "memory.max", "memory.swap.max"},
}

const prefix = "heapwright-"

// New makes a group with a limit in bytes under the root of whichever hierarchy
// has the controller, without swap where the kernel lets it. It removes groups that
// killed runs have left behind.
func New(limit int64) (Group, error) {
	removeAbandoned()
	var errs []error
	for _, at := range hierarchies {
		g := Group{filepath.Join(mount, at.controller, fmt.Sprintf(prefix+"%d-%d", os.Getpid(), time.Now().UnixNano()))}
		if _, err := os.Stat(filepath.Join(mount, at.controller, "cgroup.procs")); err != nil {
			continue
		}
		if err := os.Mkdir(g.dir, 0o755); err != nil {
			errs = append(errs, err)
			continue
		}
		if err := g.set(at.limit, limit); err != nil {
			errs = append(errs, err)
			g.Remove()
			continue
		}
		_ = g.set(at.swap, 0) // the file is not there where there is no swap to be had
		return g, nil
	}
	if len(errs) == 0 {
		errs = append(errs, errors.ErrUnsupported)
	}
	return Group{}, fmt.Errorf("cannot make a memory cgroup: %w; run as root on Linux with the memory controller",
		errors.Join(errs...))
}

// Available says why New would fail, nil if it would not.
func Available() error {
	const some = 64 << 20
	g, err := New(some)
	if err == nil {
		g.Remove()
	}
	return err
}

// removeAbandoned takes away the groups whose makers are gone. The kernel keeps
// those in which a process still runs.
func removeAbandoned() {
	for _, at := range hierarchies {
		groups, _ := filepath.Glob(filepath.Join(mount, at.controller, prefix+"*-*")) // the pattern is well-formed
		for _, dir := range groups {
			maker, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), prefix), "-")
			if pid, err := strconv.Atoi(maker); err != nil || alive(pid) {
				continue
			}
			Group{dir}.Remove()
		}
	}
}

func alive(pid int) bool {
	_, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid)))
	return err == nil
}

func (g Group) set(file string, n int64) error {
	return os.WriteFile(filepath.Join(g.dir, file), []byte(strconv.FormatInt(n, 10)), 0)
}

// Procs is the file that a process joins the group by: with its ID written to
// it, or 0 for the one that writes.
func (g Group) Procs() string { return filepath.Join(g.dir, "cgroup.procs") }

// Join moves a process into the group. Memory that it has allocated before is not
// charged to the group.
func (g Group) Join(pid int) error { return g.set("cgroup.procs", int64(pid)) }

// Remove takes the group away once its last process has been reaped.
func (g Group) Remove() { _ = os.Remove(g.dir) }

// Peak is the highest charge in bytes; 0 where the kernel does not keep it.
func (g Group) Peak() int64 { return g.number("", "memory.max_usage_in_bytes", "memory.peak") }

// OOMKilled reports whether the kernel has killed a process of the group for
// want of memory.
func (g Group) OOMKilled() bool {
	return g.number("oom_kill ", "memory.oom_control", "memory.events") > 0
}

// number returns the number after key, or of the whole file for "", in the
// first file that there is.
func (g Group) number(key string, files ...string) int64 {
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(g.dir, name))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			rest, ok := strings.CutPrefix(line, key)
			if n, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64); ok && err == nil {
				return n
			}
		}
	}
	return 0
}
