//go:build unix

package config

import (
	"fmt"
	"os"
	"syscall"
)

// trusted reports a file or folder that is neither the caller's nor root's, or that
// everybody can write.
func trusted(name string) error {
	info, err := os.Lstat(name)
	if err != nil {
		return err
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Uid != 0 && int(s.Uid) != os.Geteuid() {
		return fmt.Errorf("%s belongs to user %d", name, s.Uid)
	}
	if info.Mode()&0o002 != 0 {
		return fmt.Errorf("%s can be written by every user", name)
	}
	return nil
}
