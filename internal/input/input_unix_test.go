//go:build unix

package input_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/heapwright/heapwright/internal/input"
)

// A pipe that nobody writes to, or that falls silent, is waited for until the
// context ends, and people are told.
func TestPipe(t *testing.T) {
	for _, open := range []bool{false, true} {
		name := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Skip(err)
		}
		if open {
			f, err := os.OpenFile(name, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
		}
		ctx, cancel := context.WithCancel(t.Context())
		told := 0
		o := input.Opener{Context: ctx, Waiting: func(string) { told++; cancel() }}
		if _, err := o.ReadFile(name, 10); !errors.Is(err, context.Canceled) || told != 1 {
			t.Errorf("told %d times: %v", told, err)
		}
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	if err := os.WriteFile(name, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := input.ReadFile(t.Context(), name, 5); err != nil || string(b) != "12345" {
		t.Errorf("%q, %v", b, err)
	}
	for name, limit := range map[string]int64{name: 4, dir: 9, "/dev/zero": 9} {
		if b, err := input.ReadFile(t.Context(), name, limit); err == nil {
			t.Errorf("%s gave %q", name, b)
		}
	}
}

// A found file must be a regular one, whatever a link leads to. Nothing waits for a pipe.
func TestReadRegular(t *testing.T) {
	dir := t.TempDir()
	file, pipe, link, zero := filepath.Join(dir, "file"), filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "zero")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := errors.Join(os.Symlink("pipe", link), os.Symlink("/dev/zero", zero)); err != nil {
		t.Fatal(err)
	}
	if b, err := input.ReadRegular(file, 5); err != nil || string(b) != "12345" {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := input.ReadRegular(file, 4); err == nil {
		t.Errorf("above the limit: %q", b)
	}
	for _, name := range []string{pipe, link, zero, dir} {
		if b, err := input.ReadRegular(name, 5); err == nil {
			t.Errorf("%s gave %q", name, b)
		}
	}
}
