// Package config reads heapwright.toml, the settings of a module. A key of the
// file sets the flag of the same meaning: there are no settings beside the
// flags.
package config

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/trust"
)

// Name is the name of the file.
const Name = "heapwright.toml"

// Find returns the nearest heapwright.toml in a folder or above it, "" where
// there is none. It looks no further up than the root of the workspace, or of the
// module where there is no workspace. The file can name programs to run, so it is an
// error if the file, or a folder from there up to that root, is not trusted.
func Find(dir string) (string, error) {
	dirs, err := project(dir)
	if err != nil {
		return "", err
	}
	for i, d := range dirs {
		file := filepath.Join(d, Name)
		if _, err := os.Lstat(file); err != nil {
			continue
		}
		if err := trust.Check(file, dirs[i:]...); err != nil {
			return "", fmt.Errorf("%w, and a found file can have programs run in your name; use -config %s if it is meant, or -config none", err, file)
		}
		return file, nil
	}
	return "", nil
}
