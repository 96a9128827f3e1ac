package diagnose

import (
	"path"
	"strings"
)

// claimed returns the kind that a file's name suggests, "" if none.
func claimed(name string) Kind {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	switch {
	case strings.Contains(base, "cpu"):
		return CPU
	case strings.Contains(base, "heap"), strings.Contains(base, "mem"):
		return Heap
	case strings.Contains(base, "alloc"):
		return Allocs
	}
	return ""
}
