package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A release that removes a file is handed in with an empty one.
func TestKeepEmptied(t *testing.T) {
	before := map[string][]byte{"a.go": []byte("package p\n"), "b.go": []byte("// B.\npackage p\n\nfunc B() {}\n")}
	after := map[string][]byte{"a.go": []byte("package p\n\nfunc A() {}\n"), "c.go": []byte("package p\n")}
	if err := keepEmptied(before, after); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.go": "package p\n\nfunc A() {}\n", "b.go": "package p\n", "c.go": "package p\n"}
	if !maps.EqualFunc(after, want, func(a []byte, b string) bool { return string(a) == b }) {
		t.Errorf("%q", after)
	}
}

// Packages that a release adds and imports belong to its change.
func TestAdded(t *testing.T) {
	dirs := [2]string{t.TempDir(), t.TempDir()}
	for _, dir := range []string{
		filepath.Join(dirs[0], "old"), filepath.Join(dirs[1], "old"), filepath.Join(dirs[1], "internal", "y"),
	} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	text := "package m\n\nimport (\n\t\"fmt\"\n\n\t\"ex.com/m/internal/y\"\n\t\"ex.com/m/old\"\n\t\"ex.com/other\"\n)\n"
	got := added("ex.com/m", dirs, map[string][]byte{"a.go": []byte(text)})
	if want := []string{"internal/y"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
