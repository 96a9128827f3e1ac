package mode

import (
	"context"
	"fmt"
	"strings"
)

// chooser is a setting that chooses the toolchain which the other settings of
// its mode are compared with.
type chooser interface{ toolchain() string }

// Resolve holds the mode against its toolchain and the machine, and returns the
// configuration of its cells. An error names the mode, the thing that this machine or
// toolchain lacks, and the remedy. A toolchain that is not there yet is downloaded.
func (m Mode) Resolve(ctx context.Context, machine *Machine) (Config, error) {
	c, err := m.resolve(ctx, machine)
	if err != nil {
		return Config{}, fmt.Errorf("mode %s: %w", m.name(), err)
	}
	return c, nil
}

func (m Mode) name() string {
	if m.Name == "" {
		return Default
	}
	return m.Name
}

func (m Mode) resolve(ctx context.Context, machine *Machine) (Config, error) {
	c := Config{BuildEnv: map[string]string{}, RunEnv: map[string]string{}, environ: machine.environ}
	version := ""
	for _, s := range m.Settings {
		if s, ok := s.(chooser); ok {
			version = s.toolchain()
			c.builds = append(c.builds, version)
		}
	}
	var err error
	if c.Go, err = machine.Toolchain(ctx, version); err != nil {
		return c, err
	}
	for _, s := range m.Settings {
		before := c.BuildKey()
		if err := s.Apply(ctx, machine, &c); err != nil {
			if s.String() != m.name() { // say which of several it is
				err = fmt.Errorf("%s: %w", s, err)
			}
			return c, err
		}
		if c.BuildKey() != before {
			c.builds = append(c.builds, s.String())
		}
	}
	return c, c.checkGOFLAGS()
}

// BuildPart returns the settings that change the build, joined by "+", or ""
// if there are none: those cannot be had of a program that is built already.
func BuildPart(c Config) string { return strings.Join(c.builds, "+") }

// runPart returns the settings that change the run only.
func runPart(c Config) string { return strings.Join(assignments(c.RunEnv), "+") }

// BuildKey is equal for two configurations of one target that build the same
// binary, as GOGC=200 and GOGC=400 do, so that it has to be built once.
func (c Config) BuildKey() string {
	key := []string{c.Go.Version, c.Go.GOROOT(), c.goexperiment(), c.Revision,
		fmt.Sprint(c.PGO, c.RandomLink, c.Inject)}
	for _, p := range c.Patches {
		key = append(key, "patch "+p.Sum)
	}
	for _, d := range c.Dependencies {
		key = append(key, "dep "+d.String())
	}
	key = append(key, BuildFlags(c)...)
	return fmt.Sprintf("%q", append(key, assignments(c.BuildEnv)...))
}
