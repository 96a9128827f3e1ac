package format

import (
	"math"
	"strings"
	"time"
)

// Seconds writes a duration: "1.85 ms", "12.4 s". From a minute on it is
// written as flags take it, "1m35s", and from an hour on without seconds.
func Seconds(v float64) string {
	const minute, hour = 59.95, 3599.5 // these round up
	a := math.Abs(v)
	switch {
	case unknown(v):
		return Digits(v)
	case v == 0:
		return "0 s"
	case a < minute || a >= math.MaxInt64/1e9: // longer than any time.Duration
		return scaled(v*1e9, 1000, " ns", " µs", " ms", " s")
	}
	unit := time.Second
	if a >= hour {
		unit = time.Minute
	}
	s := time.Duration(a * float64(time.Second)).Round(unit).String()
	if short, ok := strings.CutSuffix(s, "m0s"); ok {
		s = strings.TrimSuffix(short+"m", "h0m")
		if s != short+"m" {
			s += "h"
		}
	}
	return signed(v, s)
}

// Duration writes a duration as Seconds does.
func Duration(d time.Duration) string { return Seconds(d.Seconds()) }
