package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/probe"
)

// profileBaseline takes a CPU profile of every package of the baseline, for
// the cells that are built with it. A profile is kept beside the binary that
// it is of and used again: another profile would mean another build.
func (e *experiment) profileBaseline(ctx context.Context) (map[string]string, error) {
	base := e.cells[0]
	profiles := map[string]string{}
	for _, pkg := range sortedKeys(base.Binaries) {
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

func (e *experiment) profile(ctx context.Context, c *Cell, pkg, file string) error {
	temp := filepath.Join(e.scratch, "cpu.pprof")
	cmd := e.plan.Target.Profiled(c, pkg, temp)
	cmd.Timeout = e.plan.Timeout
	out, err := probe.Run(ctx, cmd)
	if err != nil {
		return err
	}
	if out.Failure != "" {
		return runError(out.Failure, out)
	}
	data, err := os.ReadFile(temp)
	if err != nil || len(data) == 0 {
		return fmt.Errorf("the run left no CPU profile: %w", errors.Join(err, errors.New("it must run for at least a second and end by itself")))
	}
	// Written whole or not at all: a half profile would be used again.
	if err := os.WriteFile(file+".new", data, 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
