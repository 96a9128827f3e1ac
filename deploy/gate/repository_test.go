package gate

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository is a bare repository with a work tree that pushes to it, as a host
// and a contributor have them.
type repository struct {
	t          *testing.T
	bare, work string
}

func newRepository(t *testing.T) *repository {
	for _, tool := range []string{"git", "bash"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	r := &repository{t: t, bare: filepath.Join(dir, "host.git"), work: filepath.Join(dir, "work")}
	git(t, dir, "init", "-q", "--bare", "-b", "main", r.bare)
	git(t, dir, "init", "-q", "-b", "main", r.work)
	git(t, r.work, "remote", "add", "origin", "file://"+filepath.ToSlash(r.bare))
	r.write("go.mod", "module example.org/m\n\ngo 1.26\n")
	r.write("m.go", program(100))
	r.write("m_test.go", "package m\n\nimport \"testing\"\n\nfunc BenchmarkFill(b *testing.B) {\n\tfor b.Loop() {\n\t\tFill()\n\t}\n}\n")
	r.commit("main", "first")
	r.write("m.go", "// Package m fills.\n"+program(100))
	r.commit("main", "second")
	return r
}

// program allocates n objects in one operation of its benchmark.
func program(n int) string {
	return fmt.Sprintf("package m\n\nvar sink *[8]int\n\n// Fill allocates.\nfunc Fill() {\n\tfor range %d {\n\t\tsink = new([8]int)\n\t}\n}\n", n)
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.work, name), []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// commit pushes the work tree as the tip of a branch, and returns its hash.
func (r *repository) commit(branch, title string) string {
	git(r.t, r.work, "add", "-A")
	git(r.t, r.work, "commit", "-q", "-m", title)
	git(r.t, r.work, "push", "-q", "origin", "HEAD:refs/heads/"+branch)
	return git(r.t, r.work, "rev-parse", "HEAD")
}

// merge pushes refs/pull/1/merge, as GitHub does, and returns its hash: the merge of
// a branch into main. The work tree stays on the branch.
func (r *repository) merge(branch string) string {
	git(r.t, r.work, "fetch", "-q", "origin")
	git(r.t, r.work, "checkout", "-q", "--detach", "origin/main")
	git(r.t, r.work, "merge", "-q", "--no-ff", "-m", "merge", "origin/"+branch)
	hash := git(r.t, r.work, "rev-parse", "HEAD")
	git(r.t, r.work, "push", "-q", "-f", "origin", "HEAD:refs/pull/1/merge")
	git(r.t, r.work, "checkout", "-q", branch)
	return hash
}

// checkout is a fresh work tree of a ref with so many commits; 0 is all of them.
func (r *repository) checkout(ref string, depth int) string {
	dir := filepath.Join(r.t.TempDir(), "checkout")
	git(r.t, ".", "init", "-q", dir)
	git(r.t, dir, "remote", "add", "origin", "file://"+filepath.ToSlash(r.bare))
	fetch := []string{"fetch", "-q", "--no-tags", "origin", "+" + ref + ":refs/remotes/checkout"}
	if depth > 0 {
		fetch = append(fetch, fmt.Sprintf("--depth=%d", depth))
	} else {
		fetch = append(fetch, "+refs/heads/*:refs/remotes/origin/*")
	}
	git(r.t, dir, fetch...)
	git(r.t, dir, "checkout", "-q", "--detach", "refs/remotes/checkout")
	return dir
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "advice.detachedHead=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
