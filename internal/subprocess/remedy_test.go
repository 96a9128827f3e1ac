package subprocess

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The go command of this machine says what the remedies are for.
func TestRemedy(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"new/go.mod": "module example.org/new\n\ngo 1.99\n", "new/x.go": "package x\n",
		"one/go.mod": "module example.org/one\n\ngo 1.24\n", "one/x.go": "package x\n",
		"two/go.mod": "module example.org/two\n\ngo 1.24\n", "two/x.go": "package x\n",
		"none/x.go":   "package x\n",
		"ws/go.work":  "go 1.24\n\nuse ./in\n",
		"ws/in/x.go":  "package x\n",
		"ws/out/x.go": "package x\n", "ws/in/go.mod": "module example.org/in\n\ngo 1.24\n", "ws/out/go.mod": "module example.org/out\n\ngo 1.24\n",
	}
	root := t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ dir, pattern, want string }{
		{"new", ".", "\nInstall Go 1.99 or newer from https://go.dev/dl, or set GOTOOLCHAIN=auto"},
		{"one", "../two", "\nIt is of another module: give -C ../two, and"},
		{"one", "./nothere", ""},
		{"one", ".", ""},
		{"none", ".", "\nName the folder of a module with -C"},
		{"none", "./...", "\nName the folder of a module with -C"},
		{"ws", "./out", "\nAdd its module to the workspace with go work use, or leave the workspace aside with GOWORK=off"},
		{"ws/out", ".", "\nAdd its module to the workspace"},
		{"ws/out", "./...", "\nAdd its module to the workspace"},
		{"ws/in", "../../one", "\nAdd its module to the workspace"},
	} {
		cmd := exec.CommandContext(t.Context(), "go", "list", test.pattern)
		cmd.Dir = filepath.Join(root, filepath.FromSlash(test.dir))
		cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOWORK=", "GOFLAGS=", "PWD="+cmd.Dir)
		said, _ := cmd.CombinedOutput()
		if got := Remedy(string(said)); !strings.HasPrefix(got, test.want) || got != "" && test.want == "" {
			t.Errorf("%s in %s: %q for\n%s", test.pattern, test.dir, got, said)
		}
	}
}

func TestRemedyForCaches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	module := filepath.Join(dir, "go.mod") // no cache can be in a file
	for name, text := range map[string]string{
		module:                                 "module example.org/m\n\ngo 1.24\n\nrequire example.org/other v1.0.0\n",
		filepath.Join(dir, "x.go"):             "package x\n",
		filepath.Join(dir, "requires", "x.go"): "package x\n\nimport _ \"example.org/other\"\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		pattern string
		env     []string
		want    string
	}{
		{".", []string{"GOCACHE=" + filepath.Join(module, "cache")}, "\nSet GOCACHE, or HOME, to"},
		{".", []string{"GOCACHE=", "HOME=", "XDG_CACHE_HOME=", "LocalAppData=", "GOMODCACHE=" + dir}, "\nSet GOCACHE, or HOME, to"},
		{"./requires", []string{"GOMODCACHE=" + filepath.Join(module, "mod")}, "\nSet GOMODCACHE, or HOME, to"},
	} {
		cmd := exec.CommandContext(t.Context(), "go", "build", "-mod=mod", test.pattern)
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), "GOTOOLCHAIN=local", "GOWORK=off", "GOFLAGS=", "GOENV=off", "GOPROXY=off", "PWD="+dir), test.env...)
		said, _ := cmd.CombinedOutput()
		if got := Remedy(string(said)); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %q for\n%s", test.env, got, said)
		}
	}
}
