package mode

import (
	"context"
	"errors"
	"fmt"
	"go/version"
)

var tunerKind = Kind{
	Name: "gctune", Keys: []string{"gctune"}, Syntax: "gctune", Variables: []string{tunerVariable + "*"},
	Doc:   "add gctune, which keeps the control group's memory limit, or with gctune=400MiB that limit; also in the mode: HEAPWRIGHT_GCTUNE_MAX_GC_CPU=0.2 …",
	Parse: parseTuner, ProveRun: proveTuner, Lacks: tunerLacks,
}

// tunerSetting is gctune with a memory limit; "" is the control group's limit.
type tunerSetting string

func (t tunerSetting) String() string {
	if t == "" {
		return tuner
	}
	return tuner + "=" + string(t)
}
func (tunerSetting) Slot() string { return limitVariable }

func (t tunerSetting) Apply(ctx context.Context, m *Machine, c *Config) error {
	if t != "" {
		c.RunEnv[limitVariable] = string(t)
	}
	return c.tune(ctx, m)
}

func parseTuner(t token) (Setting, error) {
	switch {
	case t.name != tuner:
		return nil, nil
	case !t.valued:
		return tunerSetting(""), nil
	}
	_, err := parseSize(t, "gctune=400MiB")
	return tunerSetting(t.value), err
}

// tune adds gctune.
func (c *Config) tune(ctx context.Context, m *Machine) error {
	if lacks := tunerLacks(ctx, m, c.Go); lacks != "" {
		return errors.New(lacks)
	}
	c.inject(tuner)
	c.RunEnv[tunerVariable] = "on"
	return nil
}

// tunerSince is the first Go that compiles gctune: it uses strings.Lines.
const tunerSince = "go1.24"

func tunerLacks(_ context.Context, _ *Machine, t *Toolchain) string {
	if release.MatchString(t.Version) && version.Compare(t.Version, tunerSince) < 0 {
		return fmt.Sprintf("%s cannot compile gctune, choose %s or later", t.Version, tunerSince)
	}
	return ""
}

func proveTuner(c Config, id Identity) (string, error) {
	switch {
	case !c.injects(tuner) && id.Tuner != "":
		return "", errors.New("it was to be built without gctune, the run has it")
	case !c.injects(tuner):
	case id.Tuner == "":
		return "", errors.New("the run does not report gctune, which was to be added")
	case id.Tuner == "stopped":
		return "", errors.New("gctune was added but did not start: the target's standard error says why")
	case id.Tuner == "yielded":
		return "", errors.New("gctune has let go, because the program sets GOGC or the memory limit itself: take that out to compare modes")
	case id.TunedLimit == 0 && c.RunEnv[floorVariable] == "":
		return "gctune had nothing to keep: no control group of this process has a memory limit; give one, as in gctune=400MiB", nil
	case c.RunEnv[limitVariable] != "":
		if want, ok := limitBytes(c.RunEnv[limitVariable]); ok && id.TunedLimit > want {
			return "", fmt.Errorf("gctune was to keep a limit of %s, it kept one of %d bytes",
				c.RunEnv[limitVariable], id.TunedLimit)
		} else if ok && id.TunedLimit < want {
			return fmt.Sprintf("a control group's limit of %d bytes is tighter than the %s asked for", id.TunedLimit,
				c.RunEnv[limitVariable]), nil
		}
	}
	return "", nil
}
