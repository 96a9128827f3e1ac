//go:build !unix

package program

import (
	"errors"
	"math"
	"os"
	"time"
)

// PeakRSS is not measured here.
func PeakRSS(*os.ProcessState) float64 { return math.NaN() }

// OwnCPU fails: this system does not report CPU time in fractions of a millisecond.
func OwnCPU() (time.Duration, error) {
	return 0, errors.New("this system does not report the CPU time of a turn; measure on Linux or macOS")
}
