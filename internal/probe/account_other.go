//go:build !linux && !windows

package probe

import (
	"errors"
	"fmt"
	"runtime"
)

// Account cannot be read: here a program cannot ask, without C, what another
// that runs was accounted.
func (r *Running) Account() (Account, error) {
	return Account{}, fmt.Errorf("%s tells the CPU time of another process only when that has ended: %w", runtime.GOOS, errors.ErrUnsupported)
}

// ForgetPeak cannot be done either.
func (r *Running) ForgetPeak() error { return errors.ErrUnsupported }
