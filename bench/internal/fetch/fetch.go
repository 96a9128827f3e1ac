// Package fetch copies public modules to folders of their own.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/bench/internal/program"
)

// Module copies a module from the module cache, which is read-only, to dir, unless it is
// there already.
func Module(ctx context.Context, module, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return nil
	}
	type download struct{ Dir, GoMod, Error string }
	got, err := program.OutputJSON[download](ctx, program.Outside(os.TempDir()), []int{1}, "go", "mod", "download", "-json", module)
	if err == nil && got.Error != "" {
		err = errors.New(got.Error)
	}
	if err != nil {
		return fmt.Errorf("downloading %s: %w", module, err)
	}
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := os.CopyFS(part, os.DirFS(got.Dir)); err != nil {
		return err
	}
	// A zip file has no vendored packages, but it may have their list.
	if err := os.RemoveAll(filepath.Join(part, "vendor")); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(part, "go.mod")); err != nil { // the proxy makes one for old versions
		text, err := os.ReadFile(got.GoMod)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(part, "go.mod"), text, 0o666); err != nil {
			return err
		}
	}
	if err := dropReplacements(ctx, part); err != nil {
		return err
	}
	return os.Rename(part, dir)
}

// dropReplacements removes replacements by folders. These have other modules of the same
// repository, which are not in the module's zip file.
func dropReplacements(ctx context.Context, dir string) error {
	in := program.Outside(dir)
	type module struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	mod, err := program.OutputJSON[module](ctx, in, nil, "go", "mod", "edit", "-json")
	if err != nil {
		return fmt.Errorf("reading %s: %w", filepath.Join(dir, "go.mod"), err)
	}
	edit := []string{"go", "mod", "edit"}
	for _, r := range mod.Replace {
		if r.New.Version == "" {
			edit = append(edit, "-dropreplace="+r.Old.Path)
		}
	}
	if len(edit) == 3 {
		return nil
	}
	if err := in.Run(ctx, edit...); err != nil {
		return err
	}
	return in.Run(ctx, "go", "mod", "tidy")
}
