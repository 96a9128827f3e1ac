//go:build !unix

package harness

import "time"

var began = time.Now()

// used returns the time on the clock, where the system tells no better.
func used() time.Duration { return time.Since(began) }
