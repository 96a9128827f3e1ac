package program

import (
	"os"
	"slices"
)

// CPU returns the CPU time, in seconds, of a process that has ended and of those that
// it waited for.
func CPU(p *os.ProcessState) float64 { return (p.UserTime() + p.SystemTime()).Seconds() }

// Median returns the median of values, of which there is at least one.
func Median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
