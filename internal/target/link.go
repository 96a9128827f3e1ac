package target

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/overlay"
)

// layouts is how many links a mode with random layout is measured over: block
// b runs the one with index b mod layouts, so that the interval contains the
// effect of layout.
const layouts = 8

// link builds one package of a cell with the probe injected and returns the
// files: one, or one for each random layout. verb is the go command to use,
// "build" or "test -c".
func link(ctx context.Context, c *Cell, p goPackage, kind inject.Kind, verb ...string) ([]string, error) {
	defer func(began time.Time) { c.Compiling += time.Since(began) }(time.Now())
	at, err := placeOf(ctx, c, p)
	if err != nil {
		return nil, err
	}

	// One overlay has the probe, the changes of the mode and the sources of the cell.
	files, err := inject.Into(at.Package, kind, append([]inject.Source{inject.Dumps()}, c.Injections...)...)
	if err != nil {
		return nil, err
	}
	for _, other := range []overlay.Files{at.overlay, c.Sources} {
		if err := files.Merge(other); err != nil {
			return nil, err
		}
	}
	document, err := files.Write(filepath.Join(c.CacheDir, "overlay"))
	if err != nil {
		return nil, err
	}

	// A random layout of the binary needs a build for each layout.
	base := filepath.Join(c.CacheDir, strings.NewReplacer("/", "_", "\\", "_", ":", "_").Replace(p.ImportPath))
	bare := slices.Concat(verb[:1], at.flags, verb[1:])
	args := append(slices.Clone(bare), "-overlay="+document)
	of := p.ImportPath
	if kind == inject.Main {
		of = "" // the key in c.Binaries
	}
	n := 1
	if c.Config.RandomLink {
		n = layouts
	}
	var built []string
	for i := range n {
		file := base + ".exe" // every system runs it, Windows no other
		if c.Config.RandomLink {
			file = base + "." + strconv.Itoa(i) + ".exe"
		}
		flags := slices.Concat(mode.BuildFlags(c.Config), c.moduleFlags())
		if c.Config.RandomLink {
			flags = append(flags, mode.LayoutFlag(c.Config, int64(i+1)))
		}
		if profile := c.Profiles[of]; profile != "" {
			flags = append(flags, "-pgo="+profile)
		}
		flags = append(flags, "-o", file, p.ImportPath)
		full := slices.Concat(args, flags)

		// The go command refuses to overlay packages of a downloaded toolchain's standard
		// library. Unless the mode needs an injection, they are measured without the probe.
		_, err := goCommand(ctx, c, full...)
		if refusesOverlay(err) && len(c.Injections) == 0 {
			full = slices.Concat(bare, flags)
			c.Unprobed[of] = true
			_, err = goCommand(ctx, c, full...)
		}
		if err != nil && len(c.Sources) > 0 {
			err = errors.New(c.Sources.Original(err.Error()))
		}
		if err != nil {
			return nil, err
		}
		built = append(built, file)
		c.Commands = append(c.Commands, mode.CommandLine(mode.BuildSettings(c.Config), "go", full...))
	}
	return built, nil
}

// refusesOverlay reports whether the error is the one of Go 1.25 and later for a
// package beneath GOMODCACHE: one of the standard library of a downloaded
// toolchain (cmd/go/internal/work, BuildInit).
func refusesOverlay(err error) bool {
	return err != nil && strings.Contains(err.Error(), "beneath GOMODCACHE")
}
