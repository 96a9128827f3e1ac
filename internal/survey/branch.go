package survey

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
)

// maxRefs is enough for a million branches and tags, in bytes.
const maxRefs = 64 << 20

// branch returns the branch that changes go into: the default one of the remote
// "origin", or the first of main, master and trunk that exists. It is main if the module
// is in no git repository.
func (m *Module) branch() string {
	git := ""
	for dir := m.Root; git == "" && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, ".git")); err == nil && info.IsDir() {
			git = filepath.Join(dir, ".git")
		}
	}
	if git == "" {
		return "main"
	}
	const remote = "ref: refs/remotes/"
	if head, err := input.ReadRegular(filepath.Join(git, "refs/remotes/origin/HEAD"), maxFile); err == nil &&
		strings.HasPrefix(string(head), remote) {
		return strings.TrimSpace(string(head[len(remote):]))
	}
	packed, _ := input.ReadRegular(filepath.Join(git, "packed-refs"), maxRefs)
	for _, name := range []string{"main", "master", "trunk"} {
		if _, err := os.Stat(filepath.Join(git, "refs/heads", name)); err == nil ||
			strings.Contains(string(packed), " refs/heads/"+name+"\n") {
			return name
		}
	}
	return "main"
}
