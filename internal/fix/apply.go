package fix

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/patch"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

// Apply applies a patch to the modules around a folder, and returns the names of the
// changed files. Either all of them are changed, or none is before the first error.
func Apply(ctx context.Context, file, dir string) (changed []string, err error) {
	text, err := input.ReadFile(ctx, file, patch.MaxSize)
	if err != nil {
		return nil, fmt.Errorf("there is no patch: %w; run heapwright fix first", err)
	}
	if len(text) == 0 {
		return nil, errors.New("the last run proved no change; there is nothing to apply")
	}
	w, err := openWorkplace(ctx, dir)
	if err != nil {
		return nil, err
	}
	texts, err := w.apply(text, patch.Read)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return w.write(texts)
}

// workplace is the modules around a folder, whose files a patch may change.
type workplace struct {
	tree  *edit.Tree
	roots []string
}

func openWorkplace(ctx context.Context, dir string) (*workplace, error) {
	tree, err := edit.OpenTree(ctx, dir)
	if err != nil {
		return nil, err
	}
	roots, err := target.PatchRoots(ctx, dir)
	return &workplace{tree: tree, roots: roots}, err
}

// apply returns the texts of the files that a diff changes.
func (w *workplace) apply(diff []byte, read patch.Reader) (map[string][]byte, error) {
	p, err := patch.Parse(diff)
	if err != nil {
		return nil, err
	}
	return p.Apply(read, w.roots...)
}

// write writes all texts, or none before the first error, and returns the names of the
// changed files.
func (w *workplace) write(texts map[string][]byte) (changed []string, err error) {
	before := map[string][]byte{}
	for _, name := range sorted(texts) {
		if isNew(name) {
			continue
		}
		if before[name], err = w.tree.Read(name); err != nil {
			return nil, fmt.Errorf("%s cannot be changed: %w", name, err)
		}
	}
	for _, name := range sorted(texts) {
		if _, known := before[name]; known {
			err = w.tree.Rewrite(name, before[name], texts[name])
		} else {
			err = create(name, texts[name])
		}
		if err != nil {
			return changed, fmt.Errorf("%s: %w", name, err)
		}
		changed = append(changed, name)
	}
	return changed, nil
}

// isNew reports whether a file does not exist.
func isNew(file string) bool {
	_, err := os.Lstat(file)
	return errors.Is(err, fs.ErrNotExist)
}

// create writes a file that must not exist.
func create(file string, text []byte) error {
	if err := result.Make(filepath.Dir(file)); err != nil {
		return err
	}
	return result.Create(file, func(w io.Writer) error { _, err := w.Write(text); return err })
}
