package mode

import (
	"os/exec"
	"strings"
	"testing"
)

func TestRevision(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on PATH")
	}
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	m := NewMachine(dir)
	if err := m.CleanTree(t.Context()); err != nil {
		t.Errorf("outside of a repository: %v", err)
	}
	git("init", "-q")
	if _, err := resolve(t, m, "rev=HEAD"); err == nil || !strings.Contains(err.Error(), "no such commit") {
		t.Errorf("in an empty repository: %v", err)
	}
	writeFile(t, dir, "go.mod", "module example.org/m\n\ngo 1.20\n")
	writeFile(t, dir, "data.txt", "1")
	git("add", "-A")
	git("commit", "-qm", "one")
	first := git("rev-parse", "HEAD")
	git("tag", "v1+x")
	git("commit", "-qm", "two", "--allow-empty")

	for _, text := range []string{"rev=HEAD~1", "rev=" + first[:8], `rev="v1+x"`} {
		c, err := resolve(t, m, text)
		if err != nil || c.Revision != first {
			t.Errorf("%s is %q (%v), want %s", text, c.Revision, err, first)
		}
	}
	for _, text := range []string{"rev=nothere", "rev=--all", "rev=HEAD:go.mod"} {
		if _, err := resolve(t, m, text); err == nil || !strings.Contains(err.Error(), "no such commit") {
			t.Errorf("%s: %v", text, err)
		}
	}

	writeFile(t, dir, "heapwright-out/results.txt", "")
	if err := m.CleanTree(t.Context()); err != nil {
		t.Errorf("results make the tree dirty: %v", err)
	}
	writeFile(t, dir, "new.go", "package m\n")
	if err := m.CleanTree(t.Context()); err == nil || !strings.Contains(err.Error(), "new.go has uncommitted changes") {
		t.Errorf("with a new source file: %v", err)
	}
	writeFile(t, dir, "data.txt", "2") // could be embedded
	if err := m.CleanTree(t.Context()); err == nil || !strings.Contains(err.Error(), "data.txt and 1 more") {
		t.Errorf("with a changed file: %v", err)
	}

	asked := Config{Go: &Toolchain{}, Revision: first}
	for stamp, want := range map[string]bool{first: true, "": true, git("rev-parse", "HEAD"): false} {
		id := Identity{Settings: map[string]string{"vcs.revision": stamp}}
		if _, err := proveRevision(asked, id); (err == nil) != want {
			t.Errorf("a binary with the stamp %q: %v", stamp, err)
		}
	}
}
