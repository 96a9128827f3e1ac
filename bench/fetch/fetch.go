// Package fetch copies public modules to folders of their own and runs commands there.
package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Module copies a module from the module cache, which is read-only, to a folder
// of its own, unless it is there.
func Module(ctx context.Context, module, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return nil
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir, cmd.Env = os.TempDir(), Environment()
	text, err := cmd.Output()
	var got struct{ Dir, GoMod, Error string }
	if json.Unmarshal(text, &got) == nil && got.Error != "" {
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
	// Of vendored packages a zip file has no more than their list, at most.
	if err := os.RemoveAll(filepath.Join(part, "vendor")); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(part, "go.mod")); err != nil { // older than modules: the proxy made one
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

// dropReplacements takes out the replacements by folders, which hold modules of
// the same repository and are not in the module's zip file.
func dropReplacements(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "go", "mod", "edit", "-json")
	cmd.Dir, cmd.Env = dir, Environment()
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("reading %s: %w", filepath.Join(dir, "go.mod"), err)
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(text, &mod); err != nil {
		return err
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
	if err := Command(ctx, dir, edit...); err != nil {
		return err
	}
	return Command(ctx, dir, "go", "mod", "tidy")
}

// Environment is the user's, without a workspace that a copy may lie below.
func Environment() []string { return append(os.Environ(), "GOWORK=off") }

// Command runs a program in a folder and returns its output with the error.
func Command(ctx context.Context, dir string, args ...string) error {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, Environment(), &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, &out)
	}
	return nil
}
