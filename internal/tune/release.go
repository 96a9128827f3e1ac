package tune

import (
	"context"
	"go/version"

	"github.com/heapwright/heapwright/internal/mode"
)

// newest returns the latest release of Go that the module proxy tells, if it is
// newer than the target's and can be had here; else "". A mirror may lag behind,
// and a toolchain that cannot be had would end the whole comparison.
func newest(ctx context.Context, machine *mode.Machine) (string, error) {
	now, err := machine.Toolchain(ctx, "")
	if err != nil {
		return "", err
	}
	name, err := machine.NewestRelease(ctx)
	if err != nil || !newer(name, now.Version) {
		return "", err
	}
	if _, err := machine.Toolchain(ctx, name); err != nil {
		return "", err
	}
	return name, nil
}

// newer reports whether a release comes after the target's; of a toolchain without
// a release's name that is not known.
func newer(name, target string) bool {
	return version.IsValid(target) && version.Compare(name, target) > 0
}
