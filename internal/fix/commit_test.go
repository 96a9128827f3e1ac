package fix

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository commits a module, and returns its folder.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := module(t, map[string]string{})
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(t.TempDir(), "config"))
	for _, args := range [][]string{
		{"init", "-q"}, {"config", "user.name", "a"}, {"config", "user.email", "a@example.org"},
		{"add", "-A"}, {"commit", "-qm", "one"},
	} {
		git(t, dir, args...)
	}
	return dir
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// twoKept is the document of a run that kept two changes of one file.
func twoKept(t *testing.T) string {
	t.Helper()
	after := strings.Replace(strings.Replace(before, "n + n", "2 * n", 1), "return 0", "return 1 - 1", 1)
	d := &Document{Target: ".", Patch: unifiedOf("x/x.go", before, after), Changes: []Change{
		change("return 0", "return 1 - 1"), change("n + n", "2 * n"), change("n + n", "3 * n"),
	}}
	for i, gain := range []float64{0.9, 0.5} {
		c := &d.Changes[i]
		c.Title, c.File, c.Outcome = []string{"a constant", "a sum"}[i], "x/x.go", Kept
		better := Effect{Benchmark: "x.Double", Metric: cpu, Ratio: gain, Low: gain - 0.01, High: gain + 0.01}
		c.Gain = &Gain{Geomean: map[string]float64{cpu: gain}, Blocks: 12, Better: []Effect{better}}
	}
	d.Changes[2].Outcome = Rejected
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "fix.json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestCommit(t *testing.T) {
	dir, file := repository(t), twoKept(t)
	titles, err := Commit(t.Context(), file, dir)
	if err != nil || strings.Join(titles, ", ") != "x: a sum, x: a constant" {
		t.Fatalf("%q, %v", titles, err)
	}
	log := git(t, dir, "log", "--reverse", "--format=%s|%b")
	for _, want := range []string{
		"one|\nx: a sum|x/x.go:0. CPU -50.0% [-51.0%, -49.0%] in x.Double.\n", "x: a constant|",
		"Measured on . by heapwright fix, in 12 blocks.",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in\n%s", want, log)
		}
	}
	if state := git(t, dir, "status", "--porcelain"); state != "" {
		t.Errorf("left over: %s", state)
	}
	text, err := os.ReadFile(filepath.Join(dir, "x", "x.go"))
	if err != nil || !strings.Contains(string(text), "2 * n") || !strings.Contains(string(text), "1 - 1") {
		t.Errorf("%s, %v", text, err)
	}
	_, err = Commit(t.Context(), file, dir)
	if err == nil || !strings.Contains(err.Error(), "is applied already") {
		t.Errorf("the second time: %v", err)
	}
}

// A change may make files, of a new package even.
func TestCommitNewFile(t *testing.T) {
	dir := repository(t)
	c := packaged()
	c.Title, c.File, c.Outcome, c.Gain = "a sum", "x/x.go", Kept, &Gain{}
	text, err := json.Marshal(&Document{Patch: c.Patch, Changes: []Change{c}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "fix.json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Commit(t.Context(), file, dir); err != nil {
		t.Fatal(err)
	}
	state, made := git(t, dir, "status", "--porcelain"), git(t, dir, "show", "HEAD:internal/y/y.go")
	if state != "" || !strings.HasPrefix(made, "package y\n") {
		t.Errorf("left over: %s\nmade: %s", state, made)
	}
}

func TestCommitLeavesOthersWork(t *testing.T) {
	dir, file := repository(t), twoKept(t)
	name := filepath.Join(dir, "x", "x.go")
	if err := os.WriteFile(name, []byte(before+"\n// mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Commit(t.Context(), file, dir)
	if err == nil || !strings.Contains(err.Error(), "x.go has changes that are not committed") {
		t.Errorf("%v", err)
	}
	if text, _ := os.ReadFile(name); !strings.HasSuffix(string(text), "// mine\n") {
		t.Errorf("%s", text)
	}
}
