package sample

import (
	"fmt"
	"strings"
)

// Limits of what a run can measure.
const (
	MaxIterations = 1 << 50 // 13 days at a nanosecond each
	maxSeconds    = 1e9     // 30 years
	maxFigure     = 1 << 64 // counters and heap goals have 64 bits
)

// Check returns an error that names a figure that no run can have measured. A unit that
// the target reports itself may have any value.
func (r Run) Check() error {
	if r.Iterations < 1 || r.Iterations > MaxIterations {
		return fmt.Errorf("%d iterations, which no run can have done", r.Iterations)
	}
	for _, m := range metrics {
		v, ok := r.Values[m.Name]
		limit := float64(maxFigure)
		if strings.Contains(m.Name, "sec") {
			limit = maxSeconds
		}
		if ok && !(v >= 0 && v <= limit) { // neither is NaN
			return fmt.Errorf("%s is %v, which no run can have measured", m.Name, v)
		}
	}
	return nil
}
