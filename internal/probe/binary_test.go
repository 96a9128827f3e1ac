package probe

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/process/processtest"
)

func TestBinary(t *testing.T) {
	id, err := Binary(processtest.Target(t))
	if err != nil {
		t.Fatal(err)
	}
	if id.GoVersion != runtime.Version() || id.Settings["GOARCH"] != runtime.GOARCH || len(id.BinarySHA256) != 64 {
		t.Errorf("%+v", id)
	}

	exp := filepath.Join(t.TempDir(), "exp.exe")
	build(t, "GOEXPERIMENT=arenas", "-tags=x,y", "-o", exp, "./testdata/bare")
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
		build(t, "GOEXPERIMENT="+experiment, "-ldflags=-s -w", "-o", exp, "./testdata/bare")
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

// build builds a program with a variable and flags.
func build(t *testing.T, env string, flags ...string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"build"}, flags...)...)
	cmd.Env = append(os.Environ(), env)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
