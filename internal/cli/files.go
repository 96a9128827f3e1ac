package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/result"
)

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
