package source

import (
	"context"
	"slices"

	"github.com/heapwright/heapwright/internal/subprocess"
)

// Latest returns the newest known versions of modules, by path, as the go command
// finds them with the user's proxy settings. A module that cannot be asked for is
// left out: offline, all are. A module at its newest version has that.
func (x *Index) Latest(ctx context.Context, paths []string) map[string]string {
	latest := map[string]string{}
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	if x == nil || len(paths) == 0 {
		return latest
	}
	// With -mod=vendor, which is the default beside a vendor folder, the go command
	// does not ask for updates.
	args := append([]string{"list", "-m", "-u", "-e", "-mod=readonly",
		"-json=Path,Version,Update,Error", "--"}, paths...)
	out, _, err := goCommand(ctx, x.options, x.options.Dir, args...)
	if err != nil {
		return latest
	}
	type answer struct {
		Module
		Update *Module
		Error  *goError
	}
	all, _ := subprocess.Values[answer](out)
	for _, m := range all {
		switch {
		case m.Update != nil:
			latest[m.Path] = m.Update.Version
		case m.Error == nil:
			latest[m.Path] = m.Version
		}
	}
	return latest
}
