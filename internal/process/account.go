package process

import "time"

// Account is the system's account of a process until now, without its children.
type Account struct {
	CPU        time.Duration // user and system
	PeakRSS    int64         // bytes, since it was started or its peak was forgotten
	PageFaults int64
}
