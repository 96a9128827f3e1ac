//go:build !unix

package main

import (
	"errors"
	"time"
)

// cpuTime fails: this system does not report CPU time in fractions of a millisecond.
func cpuTime() (time.Duration, error) {
	return 0, errors.New("this system does not report the CPU time of a turn; measure on Linux or macOS")
}
