package tune

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/mode"
)

func TestNewer(t *testing.T) {
	for _, test := range []struct {
		name, target string
		want         bool
	}{
		{"go1.27.4", "go1.26.8", true},
		{"go1.10.1", "go1.9.7", true},
		{"go1.26.8", "go1.26.8", false},
		{"go1.26.8", "go1.27rc1", false},
		{"go1.27.4", "devel", false},
	} {
		if got := newer(test.name, test.target); got != test.want {
			t.Errorf("%s after %s: %v", test.name, test.target, got)
		}
	}
}

// TestNewest asks a module proxy that is a folder, of a module that vendors.
func TestNewest(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	for _, test := range []struct {
		name    string
		release string // the latest that the proxy knows; "" is none
		says    string // the error
	}{
		{"a mirror that lags behind", "1.21.1", ""},
		{"a release that cannot be had", "1.999.0", "toolchain go1.999.0 cannot be had"},
		{"a proxy without toolchains", "", "the module proxy does not name the latest release: go list: go: "},
	} {
		proxy, dir := t.TempDir(), t.TempDir()
		if test.release != "" {
			serve(t, proxy, test.release)
		}
		t.Setenv("GOPROXY", "file:///"+strings.TrimPrefix(filepath.ToSlash(proxy), "/"))
		write(t, filepath.Join(dir, "go.mod"), "module example.org/vendored\n\ngo 1.24\n")
		write(t, filepath.Join(dir, "vendor", "modules.txt"), "")
		got, err := newest(t.Context(), mode.NewMachine(dir))
		if got != "" || (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
	}
}

// serve makes a proxy know a release, but not hold it.
func serve(t *testing.T, proxy, release string) {
	dir, v := filepath.Join(proxy, "golang.org", "toolchain", "@v"), "v0.0.1-go"+release+".linux-amd64"
	write(t, filepath.Join(dir, "list"), v+"\n")
	write(t, filepath.Join(dir, v+".info"), fmt.Sprintf(`{"Version": %q}`, v))
}

func write(t *testing.T, file, text string) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
