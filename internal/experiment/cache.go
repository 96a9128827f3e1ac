package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/trust"
)

// unusedFor is how long a cell's binaries are kept after their last use; the
// go command keeps its own cache as long (cmd/go/internal/cache, trimLimit).
const unusedFor = 5 * 24 * time.Hour

// cacheVariables choose the user's cache folder; see os.UserCacheDir.
const cacheVariables = "XDG_CACHE_HOME or HOME"

// cacheRoot is where cells are kept between experiments.
func cacheRoot() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for built cells: %w; set %s", err, cacheVariables)
	}
	return filepath.Join(dir, "heapwright"), nil
}

// ownFolders makes folders for the caller alone, or checks the ones that are there.
// Programs are run from them, and the folder of all caches may be shared.
func ownFolders(dirs ...string) error {
	for _, dir := range dirs {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("making a folder for the cell: %w; set %s to a folder that can be written",
				err, cacheVariables)
		}
		if err := trust.CheckFolder(dir); err != nil {
			return fmt.Errorf("built programs are not kept: %w; remove it, or set %s to a folder of your own",
				err, cacheVariables)
		}
	}
	return nil
}

// cellDir is where a cell's binaries are kept: one folder for each place, target and
// build, so that two experiments at once do not replace each other's binaries. It is
// marked as used now.
func cellDir(root string, t target.Target, c *target.Cell) (string, error) {
	build := []string{c.Config.BuildKey(), os.Getenv("GOWORK"), os.Getenv("GOFLAGS")}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", c.Dir, t, build))
	dir := filepath.Join(root, "cells", hex.EncodeToString(sum[:10]))
	if err := ownFolders(root, filepath.Dir(dir), dir); err != nil {
		return "", err
	}
	now := time.Now()
	if err := os.Chtimes(dir, now, now); err != nil {
		return "", fmt.Errorf("marking a cell as used: %w; set %s to a folder of your own", err, cacheVariables)
	}
	return dir, nil
}

// trimCells removes the cells that nobody has used for long. A cell that cannot be
// removed stays; the next experiment tries again. Nothing is removed by way of a folder
// that somebody else may have planted.
func trimCells(root string, now time.Time) {
	cells := filepath.Join(root, "cells")
	if trust.CheckFolder(root) != nil || trust.CheckFolder(cells) != nil { // cellDir reports it
		return
	}
	entries, err := os.ReadDir(cells)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > unusedFor {
			_ = os.RemoveAll(filepath.Join(cells, e.Name()))
		}
	}
}
