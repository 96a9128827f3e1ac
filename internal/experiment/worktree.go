package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/subprocess"
)

// removal is how long the removal of a work tree may take.
const removal = 30 * time.Second

// worktree checks a revision out beside the user's own work tree and returns
// where dir is in it. The place is the same in every experiment, so that the
// go command's cache holds; remove takes it away again.
func worktree(ctx context.Context, cache, dir, revision string) (at string, remove func(), err error) {
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", nil, fmt.Errorf("rev=%s: %s is not in a git repository", revision, dir)
	}
	rel, err := relative(top, dir)
	if err != nil {
		return "", nil, err
	}
	if err := ownFolders(filepath.Join(cache, "rev")); err != nil {
		return "", nil, err
	}
	sum := sha256.Sum256([]byte(top + "\x00" + revision))
	tree := filepath.Join(cache, "rev", hex.EncodeToString(sum[:8]))
	remove = func() {
		// The experiment may have been interrupted; cleaning up continues, but not for ever.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removal)
		defer cancel()
		_, _ = git(ctx, top, "worktree", "remove", "--force", tree)
	}
	remove() // one that an earlier, killed experiment left behind
	if _, err := git(ctx, top, "worktree", "add", "--detach", "--force", tree, revision); err != nil {
		return "", nil, fmt.Errorf("rev=%s: %w", revision, err)
	}
	return filepath.Join(tree, rel), remove, nil
}

// Revision is the commit that a folder's files are of, "-dirty" added where they have
// been changed; "" where no repository holds them.
func Revision(ctx context.Context, dir string) string {
	text, err := git(ctx, dir, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
	if err != nil {
		return ""
	}
	return text
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := subprocess.Output(ctx, dir, "git", args...)
	return strings.TrimSpace(string(out)), err
}

// relative is filepath.Rel with both ends freed of symbolic links, as git
// resolves them in its output.
func relative(top, dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	return filepath.Rel(top, dir)
}
