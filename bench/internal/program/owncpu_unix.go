//go:build unix

package program

import (
	"fmt"
	"syscall"
	"time"
)

// OwnCPU returns the CPU time of this process so far, user and system, to the microsecond.
func OwnCPU() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("getrusage: %w", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}
