package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/result"
)

// newCells resolves the modes against the toolchains that they choose. A mode
// that cannot be had keeps its error and the others go on; a baseline that
// cannot be had ends the experiment.
func (e *experiment) newCells(ctx context.Context) error {
	root, err := cacheRoot()
	if err != nil {
		return err
	}
	machine := mode.NewMachine(e.plan.Dir)
	for i, m := range e.plan.Modes {
		c := &Cell{Mode: m, Dir: e.plan.Dir}
		e.cells = append(e.cells, c)
		if c.Config, c.Err = m.Resolve(ctx, machine); c.Err == nil {
			c.CacheDir, c.Err = cellDir(root, e.plan, m)
		}
		if c.Err == nil && c.Config.Revision != "" {
			var remove func()
			if c.Dir, remove, c.Err = worktree(ctx, root, e.plan.Dir, c.Config.Revision); c.Err == nil {
				e.cleanup = append(e.cleanup, remove)
			}
		}
		if c.Err != nil && (i == 0 || ctx.Err() != nil) {
			return c.Err
		}
	}
	return nil
}

// cellDir is where a cell's binaries are kept: one folder for each place,
// target and mode.
func cellDir(root string, p Plan, m mode.Mode) (string, error) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s", runtime.Version(), p.Dir, p.Target, m.Name))
	dir := filepath.Join(root, "cells", hex.EncodeToString(sum[:10]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("making a folder for the cell: %w", err)
	}
	return dir, nil
}

// build builds the cells, as many at once as there are processors: linking is
// single-threaded for the most part. Cells with PGO wait for the profile that
// the baseline gives.
func (e *experiment) build(ctx context.Context) error {
	var plain, guided []*Cell
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
	if err := e.cells[0].Err; err != nil || ctx.Err() != nil {
		return errors.Join(ctx.Err(), err)
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

func (e *experiment) buildAll(ctx context.Context, cells []*Cell, done, total int) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	finished := make(chan *Cell)
	for _, c := range cells {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots; finished <- c }()
			if c.Err == nil {
				c.Err = e.plan.Target.Build(ctx, c)
			}
		})
	}
	go func() { wg.Wait(); close(finished) }()
	e.progress(result.Build, done, total, "")
	for c := range finished {
		done++
		e.progress(result.Build, done, total, c.Mode.Name)
	}
}

// proveBinaries holds what each cell's binaries say of themselves against what
// the mode asked for. What only a run can tell is proven by the untimed runs.
func (e *experiment) proveBinaries() {
	for _, c := range e.cells {
		for _, pkg := range sortedKeys(c.Binaries) {
			for _, file := range c.Binaries[pkg] {
				id, err := probe.Binary(file)
				switch {
				case err == nil:
					c.Identity = id
				case len(c.Commands) > 0: // we built it: it must be readable
					c.fail(fmt.Errorf("reading %s: %w", file, err))
					continue
				}
				c.fail(c.Mode.Verify(c.Config, c.Identity))
			}
		}
	}
}

// fail keeps the first reason why the cell cannot be measured.
func (c *Cell) fail(err error) {
	if c.Err == nil {
		c.Err = err
	}
}
