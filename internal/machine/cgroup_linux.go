package probe

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// cgroupLimit returns the smallest memory limit, in bytes, of the control
// groups that this process is in, of version 1 or 2; false if there is none. A
// path that a container does not show counts as the container's root.
func cgroupLimit(self, mount string) (limit int64, ok bool) {
	groups, err := os.ReadFile(self)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(groups)) {
		// "4:memory:/path" in version 1, "0::/path" in version 2; cgroups(7).
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) != 3 {
			continue
		}
		root, file := mount, "memory.max"
		if part[1] == "memory" {
			root, file = filepath.Join(mount, "memory"), "memory.limit_in_bytes"
		} else if part[1] != "" {
			continue
		}
		for dir := filepath.Join("/", part[2]); ; dir = filepath.Dir(dir) {
			text, err := os.ReadFile(filepath.Join(root, dir, file))
			if err == nil { // "max" is no number
				n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
				if err == nil && (!ok || n < limit) {
					limit, ok = n, true
				}
			}
			if dir == "/" {
				break
			}
		}
	}
	return limit, ok
}
