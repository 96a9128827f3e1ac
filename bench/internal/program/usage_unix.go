//go:build unix

package program

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"syscall"
	"time"
)

// PeakRSS returns the peak RSS, bytes, of the largest process among one that has ended
// and those that it waited for. Linux counts it in KiB, getrusage(2); elsewhere it is not
// measured.
func PeakRSS(p *os.ProcessState) float64 {
	if runtime.GOOS != "linux" {
		return math.NaN()
	}
	return float64(p.SysUsage().(*syscall.Rusage).Maxrss) * 1024
}

// OwnCPU returns the CPU time of this process so far, user and system, to the microsecond.
func OwnCPU() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("getrusage: %w", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}
