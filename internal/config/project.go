package config

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/input"
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

// CheckModule returns why the go command must not be started in a folder. A file of its
// module or workspace is no regular file: the go command would wait for a pipe forever,
// and read a device until the memory is full. Or the file is a link out of the project,
// through which the go command would write.
func CheckModule(dir string) error {
	dirs, err := project(dir)
	if err != nil {
		return err
	}
	root := dirs[len(dirs)-1]
	for _, d := range dirs {
		for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum"} {
			if err := checkFile(root, filepath.Join(d, name)); err != nil {
				return err
			}
		}
		if _, err := present(filepath.Join(d, "vendor", "modules.txt")); err != nil {
			return err // it is only read, so it may be elsewhere
		}
	}
	work := os.Getenv("GOWORK")
	if !filepath.IsAbs(work) {
		return nil
	}
	if _, err := present(work); err != nil {
		return err
	}
	return checkFile(filepath.Dir(work), work+".sum")
}

// checkFile checks a file that the go command may write, in the project at root.
func checkFile(root, name string) error {
	if _, err := present(name); err != nil {
		return err
	}
	rel, err := filepath.Rel(root, name)
	if err == nil {
		err = input.LeadsOut(root, rel)
	}
	if err != nil {
		return fmt.Errorf("%s is a link out of %s, and the go command would write through it; replace it with a file",
			name, root)
	}
	return nil
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

// present reports whether there is a file that the go command reads, such as go.mod, and
// an error if it cannot be read. As for the go command, a folder of that name is none.
func present(name string) (bool, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil || info.IsDir():
		return false, nil
	case !info.Mode().IsRegular():
		return false, fmt.Errorf(
			"%s is not a regular file, and the go command would wait for it or never come to its end; replace it", name)
	case info.Size() > maxModule:
		return false, fmt.Errorf("%s is larger than %d MiB, which is no module's; replace it", name, maxModule>>20)
	}
	return true, nil
}
