package gctune

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// small mounts a file system of two pages, or skips.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8k"); err != nil {
		t.Skipf("cannot mount a small file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestProfileWriterReportsAFullFolder(t *testing.T) {
	dir := small(t)
	write, err := ProfileWriter(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ballast"), make([]byte, 8<<10), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := write(Event{}); err == nil || !strings.Contains(err.Error(), "no space left") || !strings.Contains(err.Error(), "make room in the folder") {
		t.Errorf("error %v", err)
	}
	if left := names(t, dir); len(left) != 1 {
		t.Errorf("half a profile is left: %v", left)
	}
}

func TestProfileWriterReportsAReadOnlyFolder(t *testing.T) {
	dir := small(t)
	write, err := ProfileWriter(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot make a file system read-only: %v", err)
	}
	if err := write(Event{}); err == nil || !strings.Contains(err.Error(), "read-only") || !strings.Contains(err.Error(), "make the folder writable") {
		t.Errorf("later: error %v", err)
	}
	if _, err := ProfileWriter(dir, 1); err == nil || !strings.Contains(err.Error(), "give a folder that this process may write to") {
		t.Errorf("at once: error %v", err)
	}
}
