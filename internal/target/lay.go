package target

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/overlay"
	"github.com/heapwright/heapwright/internal/patch"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// Lay computes Sources: the files as the mode's patches change them, and the go.mod and
// go.sum that choose its dependencies. The user's files stay as they are.
func (c *Cell) Lay(ctx context.Context) error {
	if len(c.Config.Patches)+len(c.Config.Dependencies) == 0 {
		return nil
	}
	c.Sources = overlay.Files{}
	roots, err := PatchRoots(ctx, c.Dir)
	if err != nil {
		return err
	}
	for _, p := range c.Config.Patches {
		changed, err := p.Apply(c.read, roots...)
		if err != nil {
			return fmt.Errorf("mode %s: patch=%s: %w", c.Mode.Name, p.File, err)
		}
		for file, text := range changed {
			c.Sources[file] = text
		}
	}
	if inject.UsesArena(c.Sources) {
		if _, err := goOutput(ctx, c, "list", "-m", inject.ArenaModule); err != nil { // it is not required yet
			if err := inject.LayArena(c.Sources, c.read); err != nil {
				return fmt.Errorf("mode %s: %w", c.Mode.Name, err)
			}
		}
	}
	if len(c.Config.Dependencies) > 0 {
		if err := c.choose(ctx); err != nil {
			return fmt.Errorf("mode %s: %w", c.Mode.Name, err)
		}
	}
	return nil
}

// read reads a file as it is with the changes so far.
func (c *Cell) read(file string) ([]byte, error) {
	text, changed := c.Sources[file]
	switch {
	case !changed:
		return patch.Read(file)
	case text == nil:
		return nil, fs.ErrNotExist
	}
	return text, nil
}

// PatchRoots returns the folders that the names in a diff may be relative to: the
// repository, the workspace and the modules around a folder, and the folder itself.
func PatchRoots(ctx context.Context, dir string) ([]string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	ask := func(name string, args ...string) []string {
		out, err := subprocess.Output(ctx, dir, name, args...)
		if text := strings.TrimSpace(string(out)); err == nil && text != "" {
			return strings.Split(filepath.FromSlash(text), "\n")
		}
		return nil
	}
	all := ask("git", "rev-parse", "--show-toplevel")
	for _, file := range ask("go", "env", "GOWORK") {
		if filepath.Base(file) == "go.work" {
			all = append(all, filepath.Dir(file))
		}
	}
	all = append(all, ask("go", "list", "-m", "-f", "{{.Dir}}")...)
	return append(all, dir), ctx.Err()
}

// choose has go get choose the versions of dependencies in copies of the go.mod and
// go.sum of the main module or, in a workspace, of the modules that require them.
func (c *Cell) choose(ctx context.Context) error {
	list, err := goOutput(ctx, c, "list", "-m", "-f", "{{.GoMod}}")
	if err != nil {
		return err
	}
	files := strings.Fields(list)
	if len(files) == 0 {
		return errors.New("dep= needs a target in a module: there is no go.mod")
	}
	if len(files) > 1 {
		if files, err = c.requiring(files); err != nil {
			return err
		}
	}
	for i, file := range files {
		if err := c.chooseIn(ctx, file, filepath.Join(c.CacheDir, "mod", fmt.Sprint(i))); err != nil {
			return err
		}
	}
	return c.confirm(ctx)
}

// requiring returns the go.mod files of a workspace that name a dependency of the mode.
func (c *Cell) requiring(files []string) (all []string, err error) {
	for _, file := range files {
		text, err := c.read(file)
		if err != nil {
			return nil, err
		}
		mod, err := modfile.ParseLax(file, text, nil)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(mod.Require, func(r *modfile.Require) bool {
			return slices.ContainsFunc(c.Config.Dependencies, func(d mode.Dependency) bool { return d.Path == r.Mod.Path })
		}) {
			all = append(all, file)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no module of the workspace requires %s", c.Config.Dependencies[0].Path)
	}
	return all, nil
}

// chooseIn chooses the versions of the mode for one module. It works on copies of the go.mod
// and the go.sum in dir, and adds them to the cell's sources.
func (c *Cell) chooseIn(ctx context.Context, file, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	sums := strings.TrimSuffix(file, "mod") + "sum"
	copied := map[string]string{file: filepath.Join(dir, "go.mod"), sums: filepath.Join(dir, "go.sum")}
	for from, to := range copied {
		text, err := c.read(from)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return err
		}
	}
	get := []string{"get", "-modfile=" + copied[file]}
	for _, d := range c.Config.Dependencies {
		get = append(get, d.String())
	}
	_, messages, err := c.alone(ctx, filepath.Dir(file), get...)
	if err != nil {
		return fmt.Errorf("choosing versions: %w", err)
	}
	if err := c.heed(string(messages)); err != nil {
		return err
	}

	// A query such as "latest" becomes the version that go get has chosen.
	for i := range c.Config.Dependencies {
		d := &c.Config.Dependencies[i]
		out, _, err := c.alone(ctx, filepath.Dir(file), "list", "-modfile="+copied[file], "-mod=mod", "-m", "-f", "{{.Version}}", d.Path)
		if err != nil {
			return fmt.Errorf("choosing versions: %w", err)
		}
		if d.Version = strings.TrimSpace(string(out)); d.Version != d.Query {
			c.Config.Notes = append(c.Config.Notes, fmt.Sprintf("%s is %s", d.Query, d.Version))
		}
	}
	// go get adds the sums that its own work needs, go list adds the packages' sums.
	if _, _, err := c.alone(ctx, filepath.Dir(file), "list", "-modfile="+copied[file], "-mod=mod", "-e", "-deps", "-test", "-f", "", "./..."); err != nil {
		return fmt.Errorf("choosing versions: %w", err)
	}
	for from, to := range copied {
		text, err := patch.Read(to)
		if err != nil {
			return err
		}
		c.Sources[from] = text
	}
	return nil
}

// heed reads the messages of go get about other modules whose versions change, too.
func (c *Cell) heed(messages string) error {
	for line := range strings.Lines(messages) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "go: ")
		verb, rest, _ := strings.Cut(line, " ")
		mod, _, _ := strings.Cut(rest, " ")
		asked := slices.ContainsFunc(c.Config.Dependencies, func(d mode.Dependency) bool { return d.Path == mod })
		switch {
		case asked:
		case verb == "removed":
			return fmt.Errorf("choosing versions: go get would remove %s, which does not go with the version that you ask for", rest)
		case verb == "upgraded", verb == "downgraded", verb == "added":
			c.Moved = append(c.Moved, verb+" "+rest)
		}
	}
	if len(c.Moved) > 0 {
		c.Config.Notes = append(c.Config.Notes, "go get also "+strings.Join(c.Moved, ", "))
	}
	return nil
}

// confirm asks the go command, with the cell's own workspace, which versions it builds
// with. A binary of tests does not record them.
func (c *Cell) confirm(ctx context.Context) error {
	flag, err := c.overlayFlag()
	if err != nil {
		return err
	}
	for _, d := range c.Config.Dependencies {
		got, err := goOutput(ctx, c, "list", flag, "-mod=readonly", "-m", "-f", "{{with .Replace}}{{.Path}} {{end}}{{.Version}}", d.Path)
		if err != nil {
			return fmt.Errorf("choosing versions: %w", err)
		}
		if got != d.Version {
			return fmt.Errorf("dep=%s: the build would take %s: another module, the workspace or a replace directive decides the version", d, got)
		}
	}
	return nil
}

// overlayFlag returns the flag with which the go command sees Sources.
func (c *Cell) overlayFlag() (string, error) {
	document, err := c.Sources.Write(filepath.Join(c.CacheDir, "overlay"))
	return "-overlay=" + document, err
}

// alone runs the go command without a workspace, in which -modfile is an error.
func (c *Cell) alone(ctx context.Context, dir string, args ...string) (out, messages []byte, err error) {
	env := append(mode.BuildEnv(c.Config), "GOWORK=off")
	return subprocess.Command{Dir: dir, Env: env, Name: "go", Args: args}.Run(ctx)
}

// moduleFlags returns the flags that make the go command use the versions that choose
// has chosen, even if a vendor folder has others.
func (c *Cell) moduleFlags() []string {
	if len(c.Config.Dependencies) == 0 {
		return nil
	}
	return []string{"-mod=readonly"}
}
