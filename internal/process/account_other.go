//go:build !linux && !windows

package process

import (
	"errors"
	"fmt"
	"runtime"
)

// Account fails: on this system a program cannot read the account of another running
// program without C.
func (r *Running) Account() (Account, error) {
	return Account{}, fmt.Errorf("%s reports the CPU time of another process only after its end: %w", runtime.GOOS,
		errors.ErrUnsupported)
}

// ForgetPeak cannot be done either.
func (r *Running) ForgetPeak() error { return errors.ErrUnsupported }
