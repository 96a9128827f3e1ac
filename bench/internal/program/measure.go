package program

import (
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"
)

// CPU returns the CPU time, in seconds, of a process that has ended and of those that
// it waited for.
func CPU(p *os.ProcessState) float64 { return (p.UserTime() + p.SystemTime()).Seconds() }

// OwnCPU returns the CPU time of this process.
func OwnCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(fmt.Errorf("getrusage: %w", err))
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Median returns the median of values, of which there is at least one.
func Median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
