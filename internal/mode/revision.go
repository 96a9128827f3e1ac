package mode

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"slices"
	"strings"
)

var revisionKind = Kind{
	Name: "revision", Keys: []string{"rev="}, Syntax: "rev=HEAD~1",
	Doc:   "build that commit, branch or tag of the target's git repository, in a worktree of its own",
	Parse: parseRevision, ProveBuild: proveRevision, Lacks: revisionLacks,
}

type revision string

func (r revision) String() string { return "rev=" + quoteValue(string(r)) }
func (revision) Slot() string     { return "the revision" }

func parseRevision(t token) (Setting, error) {
	if t.name != "rev" || !t.valued {
		return nil, nil
	}
	if t.value == "" {
		return nil, errors.New("rev= needs a commit, branch or tag, as in rev=main~3")
	}
	return revision(t.value), nil
}

func (r revision) Apply(ctx context.Context, m *Machine, c *Config) error {
	if err := m.needGit(ctx); err != nil {
		return err
	}
	hash, err := m.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", string(r)+"^{commit}")
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return errors.New("git knows no such commit: see git log; in a shallow clone, git fetch --unshallow")
	}
	c.Revision = strings.TrimSpace(hash)
	return nil
}

// Revision returns the revision that the mode builds, as written, or "" for
// the work tree as it is.
func (m Mode) Revision() string {
	for _, s := range m.Settings {
		if r, ok := s.(revision); ok {
			return string(r)
		}
	}
	return ""
}

// sourceNames are the endings of files that change a build by being there.
var sourceNames = []string{".go", ".s", ".S", ".c", ".cc", ".cpp", ".h", ".syso", ".mod", ".sum", ".work"}

// CleanTree returns an error that names the changes in the target's repository
// that no commit holds and a build may: a mode with rev= would be compared with
// sources that nobody can have again. Untracked files that are no source, such as
// results, do not count. Outside of a repository there are none; there Resolve says
// that the mode cannot be had.
func (m *Machine) CleanTree(ctx context.Context) error {
	if err := m.needGit(ctx); err != nil {
		return ctx.Err()
	}
	status, err := m.git(ctx, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
	if err != nil {
		return fmt.Errorf("ask git for uncommitted changes: %w", err)
	}
	var files []string
	for entry := range strings.SplitSeq(status, "\x00") {
		if len(entry) < 4 {
			continue
		}
		state, file := entry[:2], entry[3:]
		if state != "??" || slices.Contains(sourceNames, path.Ext(file)) {
			files = append(files, file)
		}
	}
	switch n := len(files); n {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("%s has uncommitted changes: commit or stash them", files[0])
	default:
		return fmt.Errorf("%s and %d more have uncommitted changes: commit or stash them", files[0], n-1)
	}
}

func (m *Machine) needGit(ctx context.Context) error {
	_, err := m.git(ctx, "rev-parse", "--is-inside-work-tree")
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("git is not on PATH: install it")
	default:
		return fmt.Errorf("the target is not in a git repository (%w): run in a clone", err)
	}
}

func (m *Machine) git(ctx context.Context, args ...string) (string, error) {
	out, err := m.output(ctx, m.dir, []string{"LC_ALL=C"}, "git", args...)
	return string(out), err
}

// proveRevision holds the binary's VCS stamp against the commit. Most cells
// have none, because Go does not stamp in a linked worktree: there the
// checkout of the full hash is the proof.
func proveRevision(c Config, id Identity) (string, error) {
	stamp := id.Settings["vcs.revision"]
	if c.Revision == "" || stamp == "" {
		return "", nil
	}
	if stamp != c.Revision || id.Settings["vcs.modified"] == "true" {
		return "", fmt.Errorf("it was to be built from commit %s, the binary says %s (modified: %s)", c.Revision, stamp,
			id.Settings["vcs.modified"])
	}
	return "", nil
}

func revisionLacks(ctx context.Context, m *Machine, _ *Toolchain) string {
	if err := m.needGit(ctx); err != nil {
		return err.Error()
	}
	return ""
}
