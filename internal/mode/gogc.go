package mode

import (
	"context"
	"fmt"
	"strconv"
)

var gogcKind = Kind{
	Name: "GOGC", Keys: []string{"GOGC="}, Syntax: "GOGC=400", Variables: []string{"GOGC"},
	Doc:   "heap growth in percent between collections: more is less GC work and a larger heap; 100 unless set, off for none",
	Parse: parseGOGC, ProveRun: proveGOGC,
}

type gogc string

func (g gogc) String() string { return "GOGC=" + string(g) }
func (gogc) Slot() string     { return "GOGC" }

func (g gogc) Apply(_ context.Context, _ *Machine, c *Config) error {
	c.RunEnv["GOGC"] = string(g)
	return nil
}

// parseGOGC is stricter than the runtime, which takes a value that it cannot
// read for 100.
func parseGOGC(t token) (Setting, error) {
	if t.name != "GOGC" || !t.valued {
		return nil, nil
	}
	if t.value == "off" {
		return gogc("off"), nil
	}
	if n, err := strconv.ParseInt(t.value, 10, 32); err != nil || n < 0 {
		return nil, fmt.Errorf("GOGC=%s: the value is a percentage from 0 to 2147483647, or off", t.value)
	}
	return gogc(t.value), nil
}

func (g gogc) percent() int64 {
	if g == "off" {
		return -1
	}
	n, _ := strconv.ParseInt(string(g), 10, 32) // parseGOGC has read it
	return n
}

func proveGOGC(c Config, id Identity) (string, error) {
	want, asked := c.RunEnv["GOGC"]
	if err := proveVariable("GOGC", want, asked, id); err != nil {
		return "", err
	}
	switch {
	case c.injects(tuner): // gctune changes it
	case id.MemoryLimit == 0:
		if asked {
			return "GOGC is proven by the run's environment only: its Go has no metric for it, Go 1.21 and later do",
				nil
		}
	case asked && id.GOGC != gogc(want).percent():
		return "", fmt.Errorf("GOGC=%s was set, the run had %d: the program sets it itself (debug.SetGCPercent), take that out to compare modes", want, id.GOGC)
	case !asked && id.GOGC != 100:
		return fmt.Sprintf("the program sets GOGC itself, to %d", id.GOGC), nil
	}
	return "", nil
}
