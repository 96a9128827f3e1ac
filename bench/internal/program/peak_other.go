//go:build !linux

package program

import (
	"math"
	"os"
)

// PeakRSS is not measured here.
func PeakRSS(*os.ProcessState) float64 { return math.NaN() }
