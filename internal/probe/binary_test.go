package probe

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestBinary(t *testing.T) {
	id, err := Binary(target(t))
	if err != nil {
		t.Fatal(err)
	}
	if id.GoVersion != runtime.Version() || id.Settings["GOARCH"] != runtime.GOARCH || len(id.BinarySHA256) != 64 {
		t.Errorf("%+v", id)
	}

	exp := filepath.Join(t.TempDir(), "exp.exe")
	goCommand(t, ".", []string{"GOEXPERIMENT=arenas"}, "build", "-tags=x,y", "-o", exp, "./testdata/target")
	id, err = Binary(exp)
	if err != nil {
		t.Fatal(err)
	}
	if id.GoVersion != runtime.Version() || !slices.Equal(id.Experiments, []string{"arenas"}) || id.Settings["-tags"] != "x,y" {
		t.Errorf("%+v", id)
	}

	// The effect of an experiment shows without symbols too.
	const greenTea = "runtime.tryDeferToSpanScan"
	for experiment, want := range map[string]bool{"greenteagc": true, "nogreenteagc": false} {
		goCommand(t, ".", []string{"GOEXPERIMENT=" + experiment}, "build", "-ldflags=-s -w", "-o", exp, "./testdata/target")
		if id, err = Binary(exp); err != nil || slices.Contains(id.Functions, greenTea) != want {
			t.Errorf("%s: %v, functions %q", experiment, err, id.Functions)
		}
	}

	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("hello"), 0o666); err != nil {
		t.Fatal(err)
	}
	id, err = Binary(text)
	// printf hello | sha256sum
	const sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
	if err == nil || !strings.Contains(err.Error(), text) || id.BinarySHA256 != sum || id.GoVersion != "" {
		t.Errorf("%v, %+v", err, id)
	}
	if _, err := Binary(text + "-absent"); err == nil {
		t.Error("identified a file that is not there")
	}
}

func TestCopyBinary(t *testing.T) {
	src := target(t)
	dir := t.TempDir()
	one, err := CopyBinary(src, dir)
	if err != nil {
		t.Fatal(err)
	}
	two, err := CopyBinary(src, dir)
	if err != nil || one == two || filepath.Ext(one) != filepath.Ext(src) {
		t.Errorf("copies %s and %s: %v", one, two, err)
	}
	want, _ := os.ReadFile(src)
	got, _ := os.ReadFile(one)
	a, _ := os.Stat(src)
	b, _ := os.Stat(one)
	if !bytes.Equal(want, got) || os.SameFile(a, b) {
		t.Error("the copy is not a copy")
	}
	if out := mustRun(t, Command{Path: one, Args: []string{"nothing"}}); out.Failure != "" {
		t.Errorf("%+v", out)
	}

	if _, err := CopyBinary(src, filepath.Join(dir, "absent")); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("copied into a directory that is not there: %v", err)
	}
}
