package mode

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
)

var memoryLimitKind = Kind{
	Name: "GOMEMLIMIT", Keys: []string{"GOMEMLIMIT="}, Syntax: "GOMEMLIMIT=256MiB", Variables: []string{"GOMEMLIMIT"},
	Doc:   "soft limit of the runtime's memory: collects more often when near it; none unless set",
	Parse: parseMemoryLimit, ProveRun: proveMemoryLimit,
}

type memoryLimit string

func (l memoryLimit) String() string { return "GOMEMLIMIT=" + string(l) }
func (memoryLimit) Slot() string     { return "GOMEMLIMIT" }

func (l memoryLimit) Apply(_ context.Context, _ *Machine, c *Config) error {
	c.RunEnv["GOMEMLIMIT"] = string(l)
	return nil
}

func parseMemoryLimit(t token) (Setting, error) {
	if t.name != "GOMEMLIMIT" || !t.valued {
		return nil, nil
	}
	if n, ok := limitBytes(t.value); !ok || n == 0 {
		return nil, fmt.Errorf(
			"GOMEMLIMIT=%s: the value is a number above 0 with B, KiB, MiB, GiB or TiB, as in 256MiB, or off", t.value)
	}
	return memoryLimit(t.value), nil
}

// limitBytes reads a limit as the runtime does (parseByteCount in
// runtime/string.go), which aborts the program on any other.
func limitBytes(s string) (int64, bool) {
	if s == "off" {
		return math.MaxInt64, true
	}
	shift := 0
	for i, unit := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			s, shift = number, 10*(i+1)
		}
	}
	if shift == 0 {
		s = strings.TrimSuffix(s, "B")
	}
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil || n > math.MaxInt64>>shift {
		return 0, false
	}
	return int64(n) << shift, true
}

func proveMemoryLimit(c Config, id Identity) (string, error) {
	value, asked := c.RunEnv["GOMEMLIMIT"]
	if err := proveVariable("GOMEMLIMIT", value, asked, id); err != nil {
		return "", err
	}
	want := int64(math.MaxInt64)
	if asked {
		want, _ = limitBytes(value) // parseMemoryLimit has read it
	}
	switch {
	case c.injects(tuner): // gctune lowers it
	case id.MemoryLimit == 0:
		if asked {
			return "GOMEMLIMIT is proven by the run's environment only: its Go has no metric for it, Go 1.21 and later do", nil
		}
	case asked && id.MemoryLimit != want:
		return "", fmt.Errorf("GOMEMLIMIT=%s was set, the run had %d bytes: the program sets it itself (debug.SetMemoryLimit), take that out to compare modes", value, id.MemoryLimit)
	case id.MemoryLimit != want:
		return fmt.Sprintf("the program sets a memory limit itself, of %d bytes", id.MemoryLimit), nil
	}
	return "", nil
}
