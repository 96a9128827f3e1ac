package mode

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"path/filepath"
	"strings"
)

var pgoKind = Kind{
	Name: "PGO", Keys: []string{"pgo"}, Syntax: "pgo",
	Doc:   "build with a CPU profile of the baseline, which is taken first: more inlining, so fewer allocations",
	Parse: parsePGO, ProveBuild: provePGO, Lacks: pgoLacks,
}

type pgo struct{}

func (pgo) String() string { return "pgo" }
func (pgo) Slot() string   { return "PGO" }

func (pgo) Apply(ctx context.Context, m *Machine, c *Config) error {
	if lacks := pgoLacks(ctx, m, c.Go); lacks != "" {
		return errors.New(lacks)
	}
	c.PGO = true
	return nil
}

func pgoLacks(_ context.Context, _ *Machine, t *Toolchain) string {
	if release.MatchString(t.Version) && version.Compare(t.Version, "go1.20") < 0 {
		return t.Version + " cannot build with a profile, choose go1.20 or later"
	}
	return ""
}

func parsePGO(t token) (Setting, error) {
	if t.name != "pgo" || t.valued {
		return nil, nil
	}
	return pgo{}, nil
}

func provePGO(c Config, id Identity) (string, error) {
	profile := id.Settings["-pgo"]
	// A default.pgo beside a main package is the target's own.
	own := profile == "" || filepath.Base(profile) == "default.pgo"
	theirs, err := c.userFlags()
	if err != nil {
		return "", err
	}
	_, inGOFLAGS := theirs["-pgo"]
	switch {
	case c.PGO && own && !recordsPGO(id):
		return "this binary does not record -pgo: the build command is the only proof", nil
	case c.PGO && own:
		return "", errors.New("it was to be built with a CPU profile of the baseline, the binary does not say so")
	case !c.PGO && !own && !inGOFLAGS:
		return "", fmt.Errorf("it was to be built without a profile, the binary was built with %s", profile)
	}
	return "", nil
}

// recordsPGO reports whether a binary built with a profile says so: found by
// trying, Go 1.20 writes it into none, and later ones only into the test
// binaries of some main packages.
func recordsPGO(id Identity) bool {
	return id.GoVersion != "" && version.Compare(id.GoVersion, "go1.21") >= 0 && !strings.HasSuffix(id.Path, ".test")
}
