package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/process/processtest"
)

func TestCopyBinary(t *testing.T) {
	src := processtest.Target(t)
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
