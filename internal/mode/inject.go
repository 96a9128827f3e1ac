package mode

import (
	"fmt"
	"slices"
	"strings"
)

// Names in Config.Inject of source that can be added to a target;
// internal/experiment has it.
const (
	tuner   = "gctune"
	ballast = "ballast"
)

// The added source reads its sizes from the environment, so that floor=128MiB
// and floor=256MiB share one build. gctune/auto reads the variables of gctune.
const (
	tunerVariable   = "HEAPWRIGHT_GCTUNE"
	floorVariable   = "HEAPWRIGHT_GCTUNE_MIN_HEAP"
	limitVariable   = "HEAPWRIGHT_GCTUNE_LIMIT"
	ballastVariable = "HEAPWRIGHT_BALLAST" // bytes
)

func (c *Config) injects(name string) bool { return slices.Contains(c.Inject, name) }

// inject has the build add the named source, once.
func (c *Config) inject(name string) {
	if !c.injects(name) {
		c.Inject = append(c.Inject, name)
		slices.Sort(c.Inject) // the order written is no difference
	}
}

// maxSize is the most that gctune takes, 1 TiB.
const maxSize = 1 << 40

// parseSize reads the value of a setting that is a size of at least a byte.
func parseSize(t token, example string) (int64, error) {
	n, ok := limitBytes(t.value)
	if !ok || n == 0 || n > maxSize || strings.HasPrefix(t.value, "+") {
		return 0, fmt.Errorf("%s: the value is a number above 0 with B, KiB, MiB, GiB or TiB, at most 1TiB, as in %s",
			t, example)
	}
	return n, nil
}
