package edit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// Tree is the source that a command may rewrite: the files of the main module, or of
// the modules of a workspace.
type Tree struct {
	modules           []string // folders, without links
	goroot, goModules string   // the same
}

// OpenTree asks the go command which modules a folder belongs to. If it belongs to
// none, files that are in no module either may be rewritten.
func OpenTree(ctx context.Context, dir string) (*Tree, error) {
	var env struct{ GOROOT, GOMODCACHE, GO111MODULE string }
	text, err := goCommand(ctx, dir, "env", "-json", "GOROOT", "GOMODCACHE", "GO111MODULE")
	if err == nil {
		err = json.Unmarshal(text, &env)
	}
	if err != nil {
		return nil, err
	}
	t := &Tree{goroot: resolved(env.GOROOT), goModules: resolved(env.GOMODCACHE)}
	if env.GO111MODULE == "off" {
		return t, nil
	}
	text, err = goCommand(ctx, dir, "list", "-m", "-f", "{{.Dir}}")
	for folder := range strings.Lines(string(text)) {
		if folder = strings.TrimRight(folder, "\r\n"); folder != "" {
			t.modules = append(t.modules, resolved(folder))
		}
	}
	return t, err
}

func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	out, err := subprocess.Output(ctx, dir, "go", args...)
	if err != nil {
		return nil, fmt.Errorf("asking the go command which files may be changed: %w", err)
	}
	return out, nil
}

// resolved returns a folder without links in its path, or as it is if there is none.
func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// Read returns the text of a file that may be rewritten. If it must not be, the error
// is the reason, which continues a sentence that begins with the file's name.
func (t *Tree) Read(file string) ([]byte, error) {
	if err := t.check(file); err != nil {
		return nil, err
	}
	text, err := source.ReadFile(file)
	if err != nil {
		return nil, reason(err)
	}
	// Without a package clause there is no tree, and nothing that a command would edit.
	tree, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly|parser.ParseComments)
	if tree != nil && ast.IsGenerated(tree) {
		return nil, errors.New("it is generated")
	}
	return text, nil
}

// Rewrite replaces the text of a file that is still before. If it returns an error, the
// file is as it was, and the error is a reason as of Read.
func (t *Tree) Rewrite(file string, before, after []byte) error {
	now, err := t.Read(file)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, before) {
		return errors.New("it has changed since it was read")
	}
	// A rename would replace a file that only its owner may write.
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return reason(err)
	}
	f.Close() // nothing was written
	return reason(result.Rewrite(file, after))
}

// check returns why a file must not be rewritten whatever its text is, or nil.
func (t *Tree) check(file string) error {
	folder, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return reason(err)
	}
	info, err := os.Lstat(file)
	if err != nil {
		return reason(err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		to, err := os.Readlink(file)
		if err != nil {
			return reason(err)
		}
		return fmt.Errorf("it is a symbolic link to %s", filepath.ToSlash(to))
	}
	module := moduleOf(folder)
	switch {
	case !info.Mode().IsRegular():
		return errors.New("it is no regular file")
	case within(folder, t.goModules):
		return errors.New("it is in the module cache")
	case within(folder, t.goroot):
		return errors.New("it is in GOROOT")
	case module == "" && len(t.modules) > 0, module != "" && !slices.Contains(t.modules, module):
		return fmt.Errorf("it is outside the module, in %s", folder)
	case slices.Contains(strings.Split(strings.TrimPrefix(folder, module), string(filepath.Separator)), "vendor"):
		return errors.New("it is vendored")
	case info.Mode()&0o200 == 0: // root could write it
		return errors.New("it is read-only")
	}
	return nil
}

// moduleOf returns the folder of the module that a folder is in, or "".
func moduleOf(folder string) string {
	for {
		if _, err := os.Lstat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			return ""
		}
		folder = above
	}
}

func within(folder, above string) bool {
	below, err := filepath.Rel(above, folder)
	return above != "" && err == nil && filepath.IsLocal(below)
}

// reason returns an error without the name of the file.
func reason(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
