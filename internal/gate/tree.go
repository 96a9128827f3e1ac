package gate

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// compareTrees finds out where the program's modules are in the repository and
// how its lines moved from the base to the head.
func compareTrees(ctx context.Context, plan experiment.Plan) (Tree, Moves, error) {
	top, err := subprocess.Output(ctx, plan.Dir, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, nil, err
	}
	list, err := subprocess.Output(ctx, plan.Dir, "go", "list", "-m", "-f", "{{.Path}}\t{{.Dir}}")
	if err != nil {
		return nil, nil, err
	}
	root, err := filepath.EvalSymlinks(strings.TrimSpace(string(top)))
	if err != nil {
		return nil, nil, err
	}
	tree := Tree{}
	for line := range strings.Lines(string(list)) { // several in a workspace
		module, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if dir, err = filepath.EvalSymlinks(dir); err != nil {
			return nil, nil, err
		}
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			return nil, nil, err
		}
		tree[module] = filepath.ToSlash(rel)
	}
	args := slices.Clone(DiffArgs)
	for _, m := range plan.Modes {
		if rev := m.Revision(); rev != "" {
			args = append(args, rev)
		}
	}
	diff, err := subprocess.Output(ctx, root, "git", append(args, "--", "*.go")...)
	if err != nil {
		return nil, nil, err
	}
	moves, err := ReadMoves(bytes.NewReader(diff))
	return tree, moves, err
}
