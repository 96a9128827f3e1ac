//go:build unix

package main

import (
	"fmt"
	"syscall"
	"time"
)

// cpuTime returns the CPU time of this process so far, to the microsecond.
func cpuTime() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("getrusage: %w", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}
