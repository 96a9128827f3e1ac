package tune

import (
	"context"
	"go/version"

	"github.com/heapwright/heapwright/internal/mode"
)

// newest returns the latest release of Go according to the module proxy, if it is newer
// than the target's and can be downloaded, and "" otherwise. A mirror may list releases
// that it does not have, and such a toolchain would end the whole comparison.
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

// newer reports whether a release is later than the target's. For a toolchain that is no
// release, such as a development version, it reports false.
func newer(name, target string) bool {
	return version.IsValid(target) && version.Compare(name, target) > 0
}
