// Package config reads heapwright.toml, the settings of a module. A key of the
// file sets the flag of the same meaning: there are no settings beside the
// flags.
package config

import (
	"os"
	"path/filepath"
)

// Name is the name of the file.
const Name = "heapwright.toml"

// Find returns the nearest heapwright.toml in a folder or above it, "" where
// there is none. It looks no further up than the root of the repository, or of
// the module where there is no repository: a file above belongs to somebody else.
func Find(dir string) string {
	for _, d := range project(dir) {
		if file := filepath.Join(d, Name); exists(file) {
			return file
		}
	}
	return ""
}

// project returns a folder and those above it, up to the root of its repository
// or module.
func project(dir string) []string {
	dirs := []string{dir}
	for !exists(filepath.Join(dir, ".git")) {
		up := filepath.Dir(dir)
		if up == dir { // in no repository
			return dirs[:module(dirs)]
		}
		dir = up
		dirs = append(dirs, dir)
	}
	return dirs
}

// module returns how many of the folders are in the module of the first, at
// least 1.
func module(dirs []string) int {
	for i, d := range dirs {
		if exists(filepath.Join(d, "go.mod")) {
			return i + 1
		}
	}
	return 1
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
