//go:build !unix

package injected

// heapwrightProbeCPU returns 0: the CPU time of this process is not known.
func heapwrightProbeCPU() float64 { return 0 }
