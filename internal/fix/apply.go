package fix

import (
	"context"
	"errors"
	"fmt"

	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/patch"
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
	p, err := patch.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	tree, err := edit.OpenTree(ctx, dir)
	if err != nil {
		return nil, err
	}
	roots, err := target.PatchRoots(ctx, dir)
	if err != nil {
		return nil, err
	}
	texts, err := p.Apply(patch.Read, roots...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	before := map[string][]byte{}
	for _, name := range sorted(texts) {
		if before[name], err = tree.Read(name); err != nil {
			return nil, fmt.Errorf("%s cannot be changed: %w", name, err)
		}
	}
	for _, name := range sorted(texts) {
		if err := tree.Rewrite(name, before[name], texts[name]); err != nil {
			return changed, fmt.Errorf("%s: %w", name, err)
		}
		changed = append(changed, name)
	}
	return changed, nil
}
