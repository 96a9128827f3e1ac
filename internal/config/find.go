// Package config reads heapwright.toml, the settings of a module. A key of the
// file sets the flag of the same meaning: there are no settings beside the
// flags.
package config

import (
	"fmt"
	"os"
	"path/filepath"
)

// Name is the name of the file.
const Name = "heapwright.toml"

// Find returns the nearest heapwright.toml in a folder or above it, "" where
// there is none. It looks no further up than the root of the workspace, or of the
// module where there is no workspace. The file can name programs to run, so it is an
// error if the file or its folder is another user's, as with git's safe.directory.
func Find(dir string) (string, error) {
	for _, d := range project(dir) {
		file := filepath.Join(d, Name)
		info, err := os.Lstat(file)
		if err != nil {
			continue
		}
		if !info.Mode().IsRegular() {
			return "", fmt.Errorf("%s is not a regular file; name the file that is meant with -config", file)
		}
		for _, name := range []string{file, d} {
			if err := trusted(name); err != nil {
				return "", fmt.Errorf("%w, who could have programs run in your name; use -config %s if it is meant", err, file)
			}
		}
		return file, nil
	}
	return "", nil
}

// project returns a folder and those above it, up to the root of its workspace or
// module.
func project(dir string) []string {
	var dirs []string
	module := 0 // the number of folders up to the module's root, once it is found
	for d := dir; ; d = filepath.Dir(d) {
		dirs = append(dirs, d)
		if exists(filepath.Join(d, "go.work")) {
			return dirs
		}
		if module == 0 && exists(filepath.Join(d, "go.mod")) {
			module = len(dirs)
		}
		if d == filepath.Dir(d) {
			return dirs[:max(module, 1)]
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
