//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package result

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file for this process, by flock(2): the lock belongs to the open file,
// so closing another descriptor of it does not release the lock, unlike with fcntl.
func lock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR): // NFS
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errLocked
		default:
			return err
		}
	}
}
