package experiment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// profileBaseline takes a CPU profile of every package of the baseline, for
// the cells that are built with it. A profile is kept beside the binary that
// it is of and used again: another profile would mean another build.
func (e *experiment) profileBaseline(ctx context.Context) (map[string]string, error) {
	base := e.cells[0]
	profiles := map[string]string{}
	for _, pkg := range slices.Sorted(maps.Keys(base.Binaries)) {
		id, err := probe.Binary(base.Binaries[pkg][0])
		if err != nil {
			return nil, fmt.Errorf("pgo: %w", err)
		}
		file := filepath.Join(base.CacheDir, id.BinarySHA256[:16]+".pprof")
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
			if err := e.profile(ctx, base, pkg, file); err != nil {
				return nil, fmt.Errorf("pgo: profiling the baseline: %w", err)
			}
		}
		profiles[pkg] = file
	}
	return profiles, nil
}

func (e *experiment) profile(ctx context.Context, c *target.Cell, pkg, file string) error {
	dir, err := os.MkdirTemp(e.scratch, "profile")
	if err != nil {
		return err
	}
	p := target.Profiling{Key: sample.Key{Package: pkg}, CPU: filepath.Join(dir, "cpu"), Timeout: e.plan.Timeout}
	if _, err := e.plan.Target.Profile(ctx, c, p); err != nil {
		return err
	}
	merged, err := mergeProfiles(dir)
	if err != nil {
		return err
	}
	return result.Replace(file, merged.Write)
}

// maxProfile is far beyond a CPU profile of a run, in bytes.
const maxProfile = 1 << 30

// mergeProfiles adds up the profiles in a folder. The last of several may have
// been cut short by the end of the run.
func mergeProfiles(dir string) (*profile.Profile, error) {
	names, err := filepath.Glob(filepath.Join(dir, "cpu*"))
	if err != nil {
		return nil, err
	}
	var all []*profile.Profile
	for _, name := range names {
		data, err := input.ReadRegular(name, maxProfile)
		if err != nil {
			return nil, err
		}
		if p, err := profile.ParseData(data); err == nil && len(p.Sample) > 0 {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("the run left no CPU profile: it ends too soon to be profiled")
	}
	return profile.Merge(all)
}
