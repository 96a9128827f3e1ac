//go:build unix

package source

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A profile may name a file that never ends.
func TestLineOfPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.go")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	x := &Index{local: map[string]string{name: name}}
	if line, ok := x.Line(name, 1); ok {
		t.Errorf("read %q", line)
	}
}
