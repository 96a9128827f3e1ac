package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// group is a memory cgroup of our own.
type group struct{ dir string }

// hierarchies are where the memory controller may be, v1 and v2.
var hierarchies = []struct{ base, limit string }{
	{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
	{"/sys/fs/cgroup", "memory.max"},
}

const groupPrefix = "heapwright-"

// newGroup makes a memory cgroup under the root of whichever hierarchy has the
// controller. Swap is no part of it: where there is some, turn it off.
func newGroup(limit int64) (group, error) {
	var errs []error
	for _, at := range hierarchies {
		g := group{filepath.Join(at.base, fmt.Sprintf(groupPrefix+"%d-%d", os.Getpid(), time.Now().UnixNano()))}
		if _, err := os.Stat(filepath.Join(at.base, "cgroup.procs")); err != nil {
			continue
		}
		if err := os.Mkdir(g.dir, 0o755); err != nil {
			errs = append(errs, err)
			continue
		}
		if err := os.WriteFile(filepath.Join(g.dir, at.limit), []byte(strconv.FormatInt(limit, 10)), 0); err != nil {
			errs = append(errs, err)
			g.remove()
			continue
		}
		return g, nil
	}
	return group{}, fmt.Errorf("cannot make a memory cgroup: %w; run as root on Linux with the memory controller", errors.Join(errs...))
}

// removeAbandoned takes away the groups of runs that were killed: their makers
// are gone. The kernel keeps those in which a process still runs.
func removeAbandoned() {
	for _, at := range hierarchies {
		groups, _ := filepath.Glob(filepath.Join(at.base, groupPrefix+"*-*")) // the pattern is well-formed
		for _, dir := range groups {
			maker, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), groupPrefix), "-")
			if pid, err := strconv.Atoi(maker); err != nil || alive(pid) {
				continue
			}
			group{dir}.remove()
		}
	}
}

func alive(pid int) bool {
	_, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid)))
	return err == nil
}

func (g group) join(pid int) error {
	return os.WriteFile(filepath.Join(g.dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0)
}

// remove takes the group away once its last process has been reaped.
func (g group) remove() { _ = os.Remove(g.dir) }

// number returns the number after key, or of the whole file for "", in the
// first file that there is.
func (g group) number(key string, files ...string) int64 {
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

func (g group) peak() int64 { return g.number("", "memory.max_usage_in_bytes", "memory.peak") }

func (g group) oomKilled() bool {
	return g.number("oom_kill ", "memory.oom_control", "memory.events") > 0
}
