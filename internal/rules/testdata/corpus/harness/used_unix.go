//go:build unix

package harness

import (
	"syscall"
	"time"
)

// used returns the CPU time of the process.
func used() time.Duration {
	var u syscall.Rusage
	fail(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
