package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A function literal that was inlined with its function is named for another
// package than that of its file.
func TestFindOfInlinedLiteral(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "middleware", "log.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("package middleware\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	x := &Index{modules: []module{{Path: "ex.com/m", Dir: dir}}}
	for function, want := range map[string]string{
		"ex.com/m/middleware.New":             file,
		"ex.com/m/cmd/run.Run.New.func1":      file,
		"ex.com/m/cmd/run.Run.New[...].func1": file,
		"ex.com/m/cmd/run.Run":                "", // another program's
	} {
		if got := x.find(function, filepath.ToSlash(file)); got != want {
			t.Errorf("%s is in %q, want %q", function, got, want)
		}
	}
}

// A profile may name a file that is longer than any can be: its ends are not looked for.
func TestFindOfEndlessName(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	if err := os.WriteFile(file, []byte("package main\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	x := &Index{modules: []module{{Path: "ex.com/m", Dir: dir}}}
	for name, want := range map[string]string{"/build/a.go": file, strings.Repeat("/a", 1<<19) + "/a.go": ""} {
		if got := x.find("main.f", name); got != want {
			t.Errorf("%.50s is %q, want %q", name, got, want)
		}
	}
}
