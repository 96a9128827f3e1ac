package mode

import (
	"context"
	"errors"
	"fmt"
)

var randomLayoutKind = Kind{
	Name: "random layout", Keys: []string{"randlayout"}, Syntax: "randlayout",
	Doc:   "link with the functions in random order: distinguishes an effect from a lucky placement in memory",
	Parse: parseRandomLayout, Lacks: randomLayoutLacks,
}

type randomLayout struct{}

func (randomLayout) String() string { return "randlayout" }
func (randomLayout) Slot() string   { return "the layout" }

func (randomLayout) Apply(ctx context.Context, m *Machine, c *Config) error {
	if lacks := randomLayoutLacks(ctx, m, c.Go); lacks != "" {
		return errors.New(lacks)
	}
	c.RandomLink = true
	return nil
}

func parseRandomLayout(t token) (Setting, error) {
	if t.name != "randlayout" || t.valued {
		return nil, nil
	}
	return randomLayout{}, nil
}

func randomLayoutLacks(_ context.Context, _ *Machine, t *Toolchain) string {
	if t.RandomLink {
		return ""
	}
	return fmt.Sprintf("the linker of %s has no -randlayout, choose go1.23 or later", t.Version)
}
