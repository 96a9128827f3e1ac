package mode

import (
	"context"
	"errors"
	"fmt"
)

// Choice says which modes to compare. The zero value is the matrix of the
// target's toolchain.
type Choice struct {
	List  string // the user's text: modes separated by commas, or Upgrade
	File  string // TOML file of named modes
	Dirty bool   // revisions are compared with the work tree as it is, uncommitted changes included
}

// Choose returns the modes to compare, the baseline first. packages are those
// that the target is made of. Its errors are the user's mistakes.
func Choose(ctx context.Context, m *Machine, c Choice, packages []string) ([]Mode, error) {
	var modes []Mode
	var err error
	switch {
	case c.List != "" && c.File != "":
		return nil, errors.New("-modes and -modes-file exclude each other")
	case c.File != "":
		modes, err = Load(ctx, c.File)
	case c.List == Upgrade && len(packages) == 0:
		err = errors.New("upgrade needs a target that is built here: give packages or -main")
	case c.List == Upgrade:
		modes, err = upgradeModes(ctx, m)
	case c.List != "":
		modes, err = Parse(c.List)
	default:
		modes, err = DefaultMatrix(ctx, m, packages)
	}
	if err != nil {
		return nil, err
	}
	if len(modes) == 1 {
		if len(modes[0].Settings) == 0 {
			return nil, errors.New("the default alone cannot be compared; give a second mode, or see heapwright aa -h")
		}
		modes = append([]Mode{{Name: Default}}, modes...) // the baseline that everybody means
	}
	for _, mode := range modes {
		if mode.Revision() == "" || c.Dirty {
			continue
		}
		if _, err := mode.Resolve(ctx, m); err != nil { // no repository, no such revision
			return nil, err
		}
		if err := m.CleanTree(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w; or give -dirty to compare the tree as it is", mode.Name, err)
		}
	}
	return modes, nil
}
