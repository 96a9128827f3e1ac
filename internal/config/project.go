package config

import (
	"fmt"
	"os"
	"path/filepath"
)

// maxModule is far beyond a go.mod or go.work that people write, in bytes.
const maxModule = 16 << 20

// project returns a folder and those above it, up to the root of its workspace or
// module. GOWORK counts as it does for the go command.
func project(dir string) ([]string, error) {
	workspace := os.Getenv("GOWORK")
	var dirs []string
	module := 0 // the number of folders up to the module's root, once it is found
	for d := dir; ; d = filepath.Dir(d) {
		dirs = append(dirs, d)
		work, err := filepath.IsAbs(workspace) && filepath.Dir(filepath.Clean(workspace)) == d, error(nil)
		if workspace == "" || workspace == "auto" {
			work, err = present(filepath.Join(d, "go.work"))
		}
		if err != nil || work {
			return dirs, err
		}
		if module == 0 {
			there, err := present(filepath.Join(d, "go.mod"))
			if err != nil {
				return nil, err
			}
			if there {
				module = len(dirs)
			}
		}
		if d == filepath.Dir(d) {
			return dirs[:max(module, 1)], nil
		}
	}
}

// CheckModule returns why the go command must not be started in a folder: its go.mod or
// go.work is no regular file. The go command would wait for a pipe forever, and read a
// device until the memory is full.
func CheckModule(dir string) error {
	if work := os.Getenv("GOWORK"); filepath.IsAbs(work) {
		if _, err := present(work); err != nil {
			return err
		}
	}
	_, err := project(dir)
	return err
}

// ModuleRoot returns the root of the module that a folder is in, "" where it is in none.
func ModuleRoot(dir string) (string, error) {
	for d := dir; ; d = filepath.Dir(d) {
		switch there, err := present(filepath.Join(d, "go.mod")); {
		case err != nil:
			return "", err
		case there:
			return d, nil
		case d == filepath.Dir(d):
			return "", nil
		}
	}
}

// present reports whether there is a go.mod or go.work, and an error if it cannot be
// read. As for the go command, a folder of that name is none.
func present(name string) (bool, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil || info.IsDir():
		return false, nil
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("%s is not a regular file, and the go command would wait for it or never come to its end; replace it", name)
	case info.Size() > maxModule:
		return false, fmt.Errorf("%s is larger than %d MiB, which is no module's; replace it", name, maxModule>>20)
	}
	return true, nil
}
