//go:build unix

package injected

import heapwrightSyscall "syscall"

// heapwrightProbeCPU returns the CPU time of this process in seconds.
func heapwrightProbeCPU() float64 {
	var u heapwrightSyscall.Rusage
	heapwrightSyscall.Getrusage(heapwrightSyscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
