package cgroup

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Limit returns the memory limit of the group that this process is in, or of the
// groups around it, in bytes; 0 where there is none.
func Limit() int64 { return limit("/proc/self/cgroup", mount) }

// limit reads the groups of a process in a file of /proc, and their limits below a folder.
func limit(self, mount string) int64 {
	membership, err := os.ReadFile(self) // cgroups(7)
	if err != nil {
		return 0
	}
	least := int64(0)
	for line := range strings.Lines(string(membership)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 || fields[1] != "" && fields[1] != "memory" {
			continue
		}
		for _, at := range hierarchies {
			for group := path.Join("/", fields[2]); ; group = path.Dir(group) {
				text, _ := os.ReadFile(filepath.Join(mount, at.controller, group, at.limit))
				n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
				const unlimited = 1 << 60 // version 1 writes a huge number for none
				if err == nil && n > 0 && n < unlimited && (least == 0 || n < least) {
					least = n
				}
				if group == "/" {
					break
				}
			}
		}
	}
	return least
}
