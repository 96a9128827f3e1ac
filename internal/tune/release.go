package tune

import (
	"context"
	"fmt"
	"go/version"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// newest returns the latest release of Go that the module proxy tells, if it is
// newer than the target's and can be had here; else "". A mirror may lag behind,
// and a toolchain that cannot be had would end the whole comparison.
func newest(ctx context.Context, machine *mode.Machine, dir string) (string, error) {
	now, err := machine.Toolchain(ctx, "")
	if err != nil {
		return "", err
	}
	name, err := latest(ctx, dir)
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

// latest asks the module proxy.
func latest(ctx context.Context, dir string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	// In a module with a vendor folder only -mod says that the proxy may be asked.
	out, err := subprocess.Output(ctx, dir, "go", "list", "-mod=readonly", "-m", "-f", "{{.Version}}", "go@latest")
	if err != nil {
		return "", fmt.Errorf("the module proxy does not name the latest release: %w", err)
	}
	return "go" + strings.TrimSpace(string(out)), nil
}
