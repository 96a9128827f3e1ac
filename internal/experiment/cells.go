package experiment

import (
	"context"
	"errors"
	"go/build"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

// newCells resolves the modes against the toolchains that they choose. A mode
// that cannot be had is most often a typo, so it ends the experiment
// before anything is built; one that does not build is left out later.
func (e *experiment) newCells(ctx context.Context) error {
	root, err := cacheRoot()
	if err != nil {
		return err
	}
	trimCells(root, time.Now())
	machine := mode.NewMachine(e.plan.Dir)
	e.doc.Revision = Revision(ctx, e.plan.Dir)
	if aside := machine.SetAside(); len(aside) > 0 {
		e.note("%s of your environment is set aside: modes decide it", strings.Join(aside, ", "))
	}
	// Each step needs the results of those before it; the first error ends them.
	for _, m := range e.plan.Modes {
		c := &target.Cell{Mode: m, Dir: e.plan.Dir, Unprobed: map[string]bool{}}
		e.cells = append(e.cells, c)
		if c.Config, c.Err = m.Resolve(ctx, machine); c.Err == nil {
			c.Injections, c.Err = injections(c.Config)
		}
		if c.Err == nil {
			c.CacheDir, c.Err = cellDir(root, e.plan.Target, c)
		}
		// A revision gets a worktree of its own: the user's checkout stays as it is.
		if c.Err == nil && c.Config.Revision != "" {
			var remove func()
			if c.Dir, remove, c.Err = worktree(ctx, root, c.Dir, c.Config.Revision); c.Err == nil {
				e.cleanup = append(e.cleanup, remove)
			}
		}
		if c.Err == nil {
			c.Err = c.Lay(ctx)
		}
		for _, n := range c.Config.Notes {
			e.note("%s: %s", m.Name, n)
		}
		if c.Err != nil {
			return c.Err
		}
	}
	// All modes have the user's GOFLAGS, so the baseline speaks for them.
	if flag := e.cells[0].Config.Instrumented(); flag != "" {
		e.note("GOFLAGS has %s, which costs more than most changes save: all figures include it; unset it to measure the program", flag)
	}
	e.findAbsent()
	return nil
}

// findAbsent finds out which packages only some of the cells' revisions have.
// A package that none has is a typing error, which the go command reports.
func (e *experiment) findAbsent() {
	for _, pattern := range e.plan.Target.Facts().Packages {
		if !build.IsLocalImport(pattern) {
			continue
		}
		folder, _, several := strings.Cut(pattern, "...")
		if several {
			folder = path.Dir(folder)
		}
		has := func(c *target.Cell) bool {
			info, err := os.Stat(filepath.Join(c.Dir, folder))
			return err == nil && info.IsDir()
		}
		if !slices.ContainsFunc(e.cells, has) {
			continue
		}
		for _, c := range e.cells {
			if !has(c) {
				c.Absent = append(c.Absent, pattern)
			}
		}
	}
}

// build builds the cells. Modes that differ in their environment alone share
// one build. Cells with PGO wait for the profile that the baseline gives.
func (e *experiment) build(ctx context.Context) error {
	var plain, guided []*target.Cell
	for _, c := range e.cells {
		switch {
		case c.Err != nil:
		case c.Config.PGO:
			guided = append(guided, c)
		default:
			plain = append(plain, c)
		}
	}
	total := len(plain) + len(guided)
	e.buildAll(ctx, plain, 0, total)
	if err := errors.Join(ctx.Err(), e.cells[0].Err); err != nil {
		return err
	}
	if len(guided) > 0 {
		profiles, err := e.profileBaseline(ctx)
		for _, c := range guided {
			c.Profiles, c.Err = profiles, err
		}
		e.buildAll(ctx, guided, len(plain), total)
	}
	return ctx.Err()
}

// buildAll builds as many cells at once as there are processors: linking is
// single-threaded for the most part.
func (e *experiment) buildAll(ctx context.Context, cells []*target.Cell, done, total int) {
	builds := map[string][]*target.Cell{}
	for _, c := range cells {
		builds[c.CacheDir] = append(builds[c.CacheDir], c)
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	finished := make(chan []*target.Cell)
	for _, same := range builds {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots; finished <- same }()
			first := same[0]
			if first.Err == nil {
				first.Err = e.plan.Target.Build(ctx, first)
			}
			for _, c := range same[1:] {
				c.Err, c.Dirs, c.Binaries, c.Commands, c.Unprobed = first.Err, first.Dirs, first.Binaries,
					first.Commands, first.Unprobed
				c.Config.Prebuilt = first.Config.Prebuilt
			}
		})
	}
	go func() { wg.Wait(); close(finished) }()
	e.progress(result.Build, done, total, "")
	for same := range finished {
		done += len(same)
		e.progress(result.Build, done, total, same[0].Mode.Name)
	}
}

// proveBinaries checks from each cell's binaries that they were built as the mode
// asks. The untimed runs prove the settings that only a run can show.
func (e *experiment) proveBinaries() {
	for _, c := range e.cells {
		for _, pkg := range slices.Sorted(maps.Keys(c.Binaries)) {
			for _, file := range c.Binaries[pkg] {
				id, err := probe.Binary(file)
				if err != nil && !c.Config.Prebuilt {
					c.Fail(err)
					continue
				}
				c.Identity = id
				c.Hashes = append(c.Hashes, id.BinarySHA256)
				c.Fail(c.Mode.Verify(c.Config, id))
			}
		}
	}
}
