package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// compareTrees finds out where the program's modules are in the repository and
// how its lines moved from the base to the head.
func compareTrees(ctx context.Context, plan experiment.Plan) (Tree, Moves, error) {
	top, err := run(ctx, plan.Dir, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, nil, err
	}
	list, err := run(ctx, plan.Dir, "go", "list", "-m", "-f", "{{.Path}}\t{{.Dir}}")
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
	diff, err := run(ctx, root, "git", append(args, "--", "*.go")...)
	if err != nil {
		return nil, nil, err
	}
	moves, err := ReadMoves(bytes.NewReader(diff))
	return tree, moves, err
}

// run runs a command and returns its output. An error is the first line of its
// standard error.
func run(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	out, err := subprocess.Command(ctx, dir, name, args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if words, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n"); words != "" {
			err = errors.New(words)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(append([]string{name}, args...), " "), err)
	}
	return out, nil
}
