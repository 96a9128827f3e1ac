package mode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUpgrade(t *testing.T) {
	proxy, dir := t.TempDir(), t.TempDir()
	versions := filepath.Join(proxy, "golang.org", "toolchain", "@v")
	for file, text := range map[string]string{
		filepath.Join(dir, "go.mod"):                                "module example.org/m\n\ngo 1.24\n",
		filepath.Join(versions, "list"):                             "v0.0.1-go1.21.1.linux-amd64\n",
		filepath.Join(versions, "v0.0.1-go1.21.1.linux-amd64.info"): `{"Version": "v0.0.1-go1.21.1.linux-amd64"}`,
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for proxy, want := range map[string]string{
		"file:///" + strings.TrimPrefix(filepath.ToSlash(proxy), "/"): "there is nothing to upgrade to: the target is built with go1.",
		"off": "name a release yourself, as in -modes default,go1.27.4",
	} {
		t.Setenv("GOPROXY", proxy)
		_, err := Choose(t.Context(), NewMachine(dir), Choice{List: Upgrade}, []string{"./..."})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("GOPROXY=%s: %v, want %q", proxy, err, want)
		}
	}
	if _, err := Choose(t.Context(), NewMachine(dir), Choice{List: Upgrade}, nil); err == nil || !strings.Contains(err.Error(), "a target that is built here") {
		t.Errorf("a program that is built already: %v", err)
	}
}
