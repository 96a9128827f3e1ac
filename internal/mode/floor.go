package mode

import (
	"context"
	"fmt"
)

var floorKind = Kind{
	Name: "heap floor", Keys: []string{"floor="}, Syntax: "floor=256MiB",
	Doc:   "add gctune with this heap floor: no collection starts before the heap has grown to it",
	Parse: parseFloor, ProveRun: proveFloor, Lacks: tunerLacks,
}

type floor string

func (f floor) String() string { return "floor=" + string(f) }
func (floor) Slot() string     { return floorVariable }

func (f floor) Apply(ctx context.Context, m *Machine, c *Config) error {
	c.RunEnv[floorVariable] = string(f)
	return c.tune(ctx, m)
}

func parseFloor(t token) (Setting, error) {
	if t.name != "floor" || !t.valued {
		return nil, nil
	}
	_, err := parseSize(t, "floor=256MiB")
	return floor(t.value), err
}

// proveFloor goes by the report of the added gctune. The comparison measures the
// effect of the floor, fewer collections.
func proveFloor(c Config, id Identity) (string, error) {
	value, asked := c.RunEnv[floorVariable]
	if !asked || !c.injects(tuner) || id.Tuner == "" || id.Tuner == "stopped" {
		return "", nil // proveTuner reports it
	}
	want, _ := limitBytes(value) // parseFloor has read it
	switch {
	case id.HeapFloor > want:
		return "", fmt.Errorf("a heap floor of %s was asked for, gctune kept one of %d bytes", value, id.HeapFloor)
	case id.HeapFloor < want:
		return fmt.Sprintf("the machine was short of memory: the heap floor was lowered from %s to %d bytes; free memory or ask for less", value, id.HeapFloor), nil
	case id.HeapCeiling > 0 && id.HeapCeiling < want:
		return fmt.Sprintf("the memory limit of %d bytes cut the heap floor of %s to a heap goal of %d bytes: raise the limit or lower the floor", id.TunedLimit, value, id.HeapCeiling), nil
	}
	return "", nil
}
