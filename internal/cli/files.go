package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/result"
)

// makeRoom makes an output folder, if need be, and finds out whether files can
// be written there before anybody measures for minutes. The flag names another.
func makeRoom(dir, flag string) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, ".heapwright-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("cannot write to the output folder: %w; give another with %s", err, flag)
	}
	return nil
}

// makeRoomFor is makeRoom for a single file.
func makeRoomFor(file, flag string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return usagef("%s %s is a folder; name a file", flag, file)
	}
	return makeRoom(filepath.Dir(file), flag)
}

// writeFiles writes files by name into a folder, which is made if need be. One
// that cannot be written does not keep the others from it.
func writeFiles(dir string, files map[string]func(io.Writer) error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("output folder: %w; choose another with -o", err)
	}
	var errs []error
	for name, write := range files {
		errs = append(errs, result.Replace(filepath.Join(dir, name), write))
	}
	return errors.Join(errs...)
}
