package result

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
)

// MakeRoom makes an output folder, as Make does, and finds out whether files can be
// written there before anybody measures for minutes. The flag names another.
func MakeRoom(dir, flag string) error {
	err := makeAll(dir)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, ".heapwright-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return cannotWrite(err, flag)
	}
	ignore(dir)
	return nil
}

// Scratch makes a folder for files that nobody needs later. Its maker removes it.
func Scratch() (string, error) {
	dir, err := os.MkdirTemp("", "heapwright-")
	if err != nil {
		return "", fmt.Errorf("making a scratch folder: %w; name another folder with TMPDIR", err)
	}
	return dir, nil
}

// Make makes an output folder and those above it, if they are Inside. No other code makes
// one.
func Make(dir string) error {
	if err := makeAll(dir); err != nil {
		return cannotWrite(err, "-o")
	}
	return nil
}

func makeAll(dir string) error {
	if err := Inside(dir); err != nil {
		return err
	}
	return os.MkdirAll(dir, 0o755)
}

func cannotWrite(err error, flag string) error {
	return fmt.Errorf("cannot write to the output folder: %w; give another with %s", err, flag)
}

// Inside reports a folder below the current one, or below a claimed one, that a symbolic
// link leads out of it: the link may have come with somebody else's repository. A claimed
// folder itself is the user's own choice if its path is absolute or begins with "..".
func Inside(dir string) error {
	if dir = filepath.Clean(dir); filepath.IsLocal(dir) {
		if err := below(".", "the current one", dir); err != nil {
			return err
		}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	claims.Range(func(claimed, _ any) bool {
		root := claimed.(string)
		if rel, relErr := filepath.Rel(root, abs); relErr == nil && filepath.IsLocal(rel) {
			err = below(root, root, rel)
		}
		return err == nil
	})
	return err
}

// below reports that a symbolic link in a folder's path leads out of root.
func below(root, name, dir string) error {
	err := input.LeadsOut(root, dir)
	if err == nil {
		return nil
	}
	return fmt.Errorf("the folder %s leads out of %s through a link: %w; name the folder that it leads to",
		filepath.Join(root, dir), name, err)
}

// outFolder is the folder that commands write into if no flag names another.
const outFolder = "heapwright-out"

// ignoreName is the file that keeps git from it.
const ignoreName = ".gitignore"

// ignore keeps git from the default output folder that dir is or is in. A folder
// that the user named may be meant for the repository.
func ignore(dir string) {
	first, _, _ := strings.Cut(filepath.ToSlash(filepath.Clean(dir)), "/")
	if first != outFolder {
		return
	}
	// Nothing is lost without it.
	if f, err := os.OpenFile(filepath.Join(outFolder, ignoreName), os.O_WRONLY|os.O_CREATE|os.O_EXCL,
		0o644); err == nil {
		f.WriteString("*\n")
		f.Close()
	}
}

// ReplaceAll writes files by name into a folder, which is made if need be. One
// that cannot be written does not keep the others from it.
func ReplaceAll(dir string, files map[string]func(io.Writer) error) error {
	if err := Make(dir); err != nil {
		return err
	}
	var errs []error
	for name, write := range files {
		errs = append(errs, Replace(filepath.Join(dir, name), write))
	}
	return errors.Join(errs...)
}
