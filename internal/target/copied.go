package target

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/overlay"
	"github.com/heapwright/heapwright/internal/source"
)

// goModule is the part of a module in `go list -json` that link needs.
type goModule struct {
	Path    string
	Version string
	Main    bool
	Dir     string
	GoMod   string
}

// A place is the folder in which link builds a package, so that an overlay may add files to it.
type place struct {
	inject.Package
	flags   []string      // the first flags of the go command
	overlay overlay.Files // replaces go.mod or go.work
}

// placeOf returns the place of a package. The go command refuses overlays below GOMODCACHE, so
// a package there is built from a copy of its module. If the module is a dependency, an overlay
// of the main module's go.mod replaces it by the copy. The flag -modfile could do the same, but
// is an error in a workspace. If it is the main module, the go command runs in the copy.
func placeOf(ctx context.Context, c *Cell, p goPackage) (place, error) {
	at := place{Package: p.Package, overlay: overlay.Files{}}
	m := p.Module
	if m == nil || !isInside(p.Dir, c.Config.Go.Env["GOMODCACHE"]) {
		return at, nil
	}
	dir, err := copyModule(c, m)
	if err != nil {
		return at, fmt.Errorf("copying module %s, since nothing can be added to it in the module cache: %w", m.Path,
			err)
	}
	at.Dir = moved(p.Dir, m.Dir, dir)
	if m.Main {
		at.flags = []string{"-C", moved(c.Dir, m.Dir, dir)}
		return at, nil
	}
	file, text, err := replacing(ctx, c, m, dir)
	at.overlay[file] = text
	return at, err
}

// replacing returns the name of the file that chooses the versions of modules, and its text
// with one module replaced by a folder.
func replacing(ctx context.Context, c *Cell, m *goModule, dir string) (file string, text []byte, err error) {
	verb := "work"
	file, err = goOutput(ctx, c, "env", "GOWORK")
	if err == nil && (file == "" || file == "off") {
		verb = "mod"
		file, err = goOutput(ctx, c, slices.Concat([]string{"list", "-m", "-f={{.GoMod}}"}, mode.BuildFlags(c.Config))...)
	}
	if err != nil {
		return "", nil, err
	}
	text, err = goCommand(ctx, c, verb, "edit", "-print", "-dropreplace="+m.Path+"@"+m.Version, file)
	// -replace of go work edit takes no folder with a version in its name.
	return file, fmt.Appendf(text, "\nreplace %s %s => %q\n", m.Path, m.Version, dir), err
}

func goOutput(ctx context.Context, c *Cell, args ...string) (string, error) {
	out, err := goCommand(ctx, c, args...)
	return strings.TrimSpace(string(out)), err
}

// copyModule copies a module from the module cache to the cell's folder, unless it is there
// already, because a version never changes. The path of the copy ends like the path in the
// module cache, so profiles show the same paths.
func copyModule(c *Cell, m *goModule) (string, error) {
	dir := moved(m.Dir, c.Config.Go.Env["GOMODCACHE"], filepath.Join(c.CacheDir, "pkg", "mod"))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(parent, ".new-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part) // there is nothing to remove after the rename
	if err := os.CopyFS(part, os.DirFS(m.Dir)); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(part, "go.mod")); err != nil { // the go command made one for a version without
		text, err := source.ReadFile(m.GoMod)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(part, "go.mod"), text, 0o666); err != nil {
			return "", err
		}
	}
	if err := os.Rename(part, dir); err != nil {
		if _, there := os.Stat(dir); there != nil { // unless another experiment has made it meanwhile
			return "", err
		}
	}
	return dir, nil
}

// isInside reports whether a folder is parent or inside it.
func isInside(dir, parent string) bool {
	rel, err := filepath.Rel(parent, dir)
	return parent != "" && err == nil && filepath.IsLocal(rel)
}

// moved returns a folder that is beneath one beneath another instead.
func moved(dir, from, to string) string {
	return filepath.Join(to, strings.TrimPrefix(dir, from))
}
