package process

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/heapwright/heapwright/internal/process/processtest"
)

// A program on a file system mounted noexec has its x bits, so chmod does not help.
func TestNoexec(t *testing.T) {
	program := processtest.Target(t)
	for variable, remedy := range map[string]string{
		"TMPDIR":         "TMPDIR=/another/folder",
		"XDG_CACHE_HOME": "XDG_CACHE_HOME=/another/folder",
		"OTHER":          "copy the program to another",
	} {
		t.Run(variable, func(t *testing.T) {
			dir := t.TempDir()
			if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_NOEXEC, ""); err != nil {
				t.Skip("no file system of its own: ", err)
			}
			t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
			t.Setenv("TMPDIR", t.TempDir())
			t.Setenv(variable, dir)
			at, err := CopyBinary(program, dir)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Run(t.Context(), Command{Path: at, Args: []string{"nothing"}})
			for _, want := range []string{at, "permission denied", "mounted noexec", remedy} {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("the error %v does not have %q", err, want)
				}
			}
			if err := CheckStart(filepath.Dir(at)); err == nil || !strings.Contains(err.Error(), remedy) {
				t.Errorf("%v", err)
			}
		})
	}
	if err := CheckStart(t.TempDir()); err != nil {
		t.Error(err)
	}
}
