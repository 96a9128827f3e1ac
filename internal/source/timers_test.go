package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Which timers stay is decided by go.mod, and by the directives of package main.
func TestKeepsTimers(t *testing.T) {
	for _, test := range []struct {
		mod, directive, reason string
		keeps                  bool
	}{
		{"go 1.21\n", "", "go.mod has go 1.21", true},
		{"go 1.23\n", "", "go.mod has go 1.23", false},
		{"go 1.24\n\ngodebug asynctimerchan=1\n", "", "go.mod has godebug asynctimerchan=1", true},
		{"go 1.24\n\ngodebug (\n\tdefault=go1.21\n)\n", "", "go.mod has godebug default=go1.21", true},
		{"go 1.21\n", "//go:debug asynctimerchan=0\n", "//go:debug asynctimerchan=0", false},
		{"go 1.24\n", "//go:debug asynctimerchan=1\n", "//go:debug asynctimerchan=1", true},
	} {
		dir := t.TempDir()
		main := filepath.Join(dir, "main.go")
		for name, text := range map[string]string{"go.mod": "module ex.com/x\n\n" + test.mod, "main.go": test.directive + "package main\n\nfunc main() {}\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		x, err := Open(t.Context(), Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Study(t.Context(), []Place{{"main.main", main, strings.Count(test.directive, "\n") + 3}}); err != nil {
			t.Fatal(err)
		}
		if reason, keeps := x.KeepsTimers(main); reason != test.reason || keeps != test.keeps {
			t.Errorf("%+v: %q %v", test, reason, keeps)
		}
	}
}
