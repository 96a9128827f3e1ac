//go:build !unix

package doctor

import "time"

var started = time.Now()

// cpuTime is the wall time here: a spin loop that is alone needs no more.
func cpuTime() time.Duration { return time.Since(started) }
