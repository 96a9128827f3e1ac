package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
)

// layouts is how many links a mode with random layout is measured over: block
// b runs the one with index b mod layouts, so that the interval contains what
// layout does.
const layouts = 8

// link builds one package of a cell with the probe injected and returns the
// files: one, or one for each random layout. verb is the go command to use,
// "build" or "test -c".
func link(ctx context.Context, c *Cell, p goPackage, kind probe.Kind, name string, verb ...string) ([]string, error) {
	base := filepath.Join(c.CacheDir, strings.NewReplacer("/", "_", "\\", "_", ":", "_").Replace(p.ImportPath))
	overlay, err := writeOverlay(base, p.Dir, name, kind)
	if err != nil {
		return nil, err
	}
	args := append(slices.Clone(verb), "-overlay="+overlay)
	n := 1
	if c.Config.RandomLink {
		n = layouts
	}
	var files []string
	for i := range n {
		file := base + ".exe" // every system runs it, Windows no other
		if c.Config.RandomLink {
			file = base + "." + strconv.Itoa(i) + ".exe"
		}
		flags := mode.BuildFlags(c.Config)
		if c.Config.RandomLink {
			flags = append(flags, mode.LayoutFlag(c.Config, int64(i+1)))
		}
		if profile := c.Profiles[p.ImportPath]; profile != "" {
			flags = append(flags, "-pgo="+profile)
		}
		full := slices.Concat(args, flags, []string{"-o", file, p.ImportPath})
		if _, err := goCommand(ctx, c, full...); err != nil {
			return nil, err
		}
		files = append(files, file)
		c.Commands = append(c.Commands, mode.CommandLine(mode.BuildSettings(c.Config), "go", full...))
	}
	return files, nil
}

// writeOverlay puts the probe's files beside the binary and returns the
// overlay file that the go command reads them by.
func writeOverlay(base, pkgDir, pkgName string, kind probe.Kind) (string, error) {
	dir := base + ".overlay"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("making a folder for the cell: %w", err)
	}
	replace, err := probe.Inject(dir, pkgDir, pkgName, kind)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, data, 0o644)
}
