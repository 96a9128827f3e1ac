package process

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// CopyBinary makes a copy of a program in a directory and returns its path.
// The copy has pages of its own, neither linked nor shared by the file system,
// so that the chance of where they lie in memory is drawn again.
func CopyBinary(src, dir string) (string, error) {
	dst, err := copyBinary(src, dir)
	if err != nil {
		return "", fmt.Errorf("copy %s to %s: %w; free some space or name another directory", src, dir, err)
	}
	return dst, nil
}

func copyBinary(src, dir string) (path string, err error) {
	in, err := os.Open(src)
	if err != nil {
		return "", err
	}
	defer in.Close()

	// A process that forks meanwhile would hold the copy open for writing until
	// it executes, and the kernel refuses to execute such a file (ETXTBSY,
	// go.dev/issue/22315).
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()

	ext := filepath.Ext(src)
	out, err := os.CreateTemp(dir, strings.TrimSuffix(filepath.Base(src), ext)+"-*"+ext)
	if err != nil {
		return "", err
	}
	defer func() {
		if e := out.Close(); err == nil {
			err = e
		}
		if err != nil {
			os.Remove(out.Name())
		}
	}()
	// Without their concrete types: io.Copy would ask the file system to copy,
	// which it may do by sharing the pages.
	if _, err := io.Copy(struct{ io.Writer }{out}, struct{ io.Reader }{in}); err != nil {
		return "", err
	}
	return out.Name(), out.Chmod(0o755)
}
