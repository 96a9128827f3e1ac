package mode

import (
	"context"
	"fmt"
	"go/version"
	"slices"
	"strings"
	"time"
)

// Upgrade is the word for the modes that answer "should I upgrade Go?".
const Upgrade = "upgrade"

// upgradeModes returns the default, the newest release of Go, and that release with each
// experiment off that it turns on and the target's toolchain does not. Experiments that
// both have on are no reason to stay.
func upgradeModes(ctx context.Context, m *Machine) ([]Mode, error) {
	now, err := m.Toolchain(ctx, "")
	if err != nil {
		return nil, err
	}
	name, err := m.NewestRelease(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w; name a release yourself, as in -modes default,go1.27.4", err)
	}
	if version.Compare(now.Version, name) >= 0 {
		return nil, fmt.Errorf(
			"there is nothing to upgrade to: the target is built with %s, and the newest release is %s",
			now.Version, name)
	}
	next, err := m.Toolchain(ctx, name)
	if err != nil {
		return nil, err
	}
	names := []string{Default, name}
	for _, e := range next.Experiments {
		if before, known := now.Experiment(e.Name); e.On && !e.Fixed && !(known && before.On) {
			names = append(names, name+"+no"+e.Name)
		}
	}
	slices.Sort(names[2:])
	return Parse(strings.Join(names, ","))
}

// NewestRelease asks the module proxy for the latest release of Go: "go1.27.4". A
// mirror may lag behind.
func (m *Machine) NewestRelease(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	// In a module with a vendor folder only -mod says that the proxy may be asked.
	out, err := m.output(ctx, m.dir, nil, "go", "list", "-mod=readonly", "-m", "-f", "{{.Version}}", "go@latest")
	if err != nil {
		return "", fmt.Errorf("the module proxy does not name the latest release: %w", err)
	}
	return "go" + strings.TrimSpace(string(out)), nil
}
