package gctune

import "time"

const (
	// forgetOvershoot is how long it takes to forget most of an overshoot, and
	// overshootShare bounds it to a sixteenth of the limit.
	forgetOvershoot = 5 * time.Minute
	overshootShare  = 16
)

// overshoot learns how far the process goes past the runtime's memory limit
// while its live heap is well below: the limit is a soft one. A cycle ends past
// its goal when other processes take the CPU from it, or when the runtime's
// limiter has turned assists off (mgclimit.go). What has happened once has to
// find room the next time.
type overshoot struct {
	bytes int64
	at    time.Duration
}

// learn takes in how far over the limit the process is found, which may be
// less than zero, but not more than most counts.
func (v overshoot) learn(now time.Duration, over, most int64) overshoot {
	v.bytes -= int64(float64(v.bytes) * min(float64(now-v.at)/float64(forgetOvershoot), 1))
	return overshoot{max(v.bytes, min(over, most)), now}
}
