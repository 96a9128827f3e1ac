// Package trust decides whether a file that was found, not named, may have programs run.
//
// The stance, as in git's safe.directory: whoever can write the file, or a folder on the
// way to it, could run programs as the caller. Only the caller and root may.
package trust

import (
	"fmt"
	"os"
	"path/filepath"
)

// Check returns why a file is not trusted: it is no regular file, or somebody but the
// caller and root owns or can write it or one of the folders. A link is not followed: it
// may have come with somebody else's repository.
func Check(file string, folders ...string) error {
	info, err := os.Lstat(file)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", file)
	}
	for _, name := range append([]string{file}, folders...) {
		if err := checkOwner(name); err != nil {
			return err
		}
	}
	return nil
}

// CheckFolder returns why a folder is not trusted to keep programs: it is a link, somebody
// but the caller and root owns or can write it, or everybody can put another in its place.
// The folder's own place may belong to another user, as in containers.
func CheckFolder(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is a link or no folder", dir)
	}
	if err := checkOwner(dir); err != nil {
		return err
	}
	return checkPlace(filepath.Dir(dir))
}
