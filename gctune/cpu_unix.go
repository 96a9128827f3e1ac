//go:build unix

package gctune

import "syscall"

// cpuClock reads how long the process has been on a CPU.
type cpuClock struct{ usage syscall.Rusage }

// seconds is the CPU time of all threads, in user mode and in the kernel
// (getrusage(2)); 0 where it cannot be had.
func (c *cpuClock) seconds() float64 {
	if syscall.Getrusage(syscall.RUSAGE_SELF, &c.usage) != nil {
		return 0
	}
	return float64(c.usage.Utime.Nano()+c.usage.Stime.Nano()) / 1e9
}
