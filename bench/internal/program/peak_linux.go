package program

import (
	"os"
	"syscall"
)

// PeakRSS returns the peak RSS, bytes, of the largest process among one that has ended
// and those that it waited for. Linux counts it in KiB, getrusage(2).
func PeakRSS(p *os.ProcessState) float64 {
	return float64(p.SysUsage().(*syscall.Rusage).Maxrss) * 1024
}
