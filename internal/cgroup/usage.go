package cgroup

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Usage is the memory that is charged to a group, in bytes.
type Usage struct {
	Bytes     int64 `json:"bytes"`
	PageCache int64 `json:"page_cache"` // files that no process maps
	Kernel    int64 `json:"kernel"`     // the kernel's structures: sockets, page tables, stacks of threads
}

// UsageOf returns the usage of the memory group that a process is in. It is false for the
// root group, which holds everybody, and where there is none.
func UsageOf(pid int) (Usage, bool) {
	membership, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		return Usage{}, false
	}
	for line := range strings.Lines(string(membership)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 || fields[1] != "" && fields[1] != "memory" || path.Join("/", fields[2]) == "/" {
			continue
		}
		for _, at := range hierarchies {
			dir := filepath.Join(mount, at.controller, path.Join("/", fields[2]))
			text, err := os.ReadFile(filepath.Join(dir, "memory.stat"))
			if err != nil {
				continue
			}
			u := parseStat(string(text))
			for _, name := range []string{"memory.current", "memory.usage_in_bytes"} {
				if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
					u.Bytes, _ = strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
				}
			}
			if u.Bytes > 0 {
				return u, true
			}
		}
	}
	return Usage{}, false
}

// parseStat reads memory.stat of either version (cgroup-v2.rst, and memory.rst of
// cgroup-v1 in the kernel's documentation). Files of tmpfs count as page cache there;
// they are memory of their own and stay out.
func parseStat(text string) Usage {
	value := map[string]int64{}
	for line := range strings.Lines(text) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseInt(number, 10, 64); err == nil && n > 0 {
			value[name] = n
		}
	}
	cache := value["file"] - value["file_mapped"]
	if _, v1 := value["cache"]; v1 {
		cache = value["cache"] - value["mapped_file"]
	}
	return Usage{PageCache: max(0, cache-value["shmem"]), Kernel: value["kernel"]}
}
