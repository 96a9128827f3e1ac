//go:build unix

package main

import (
	"fmt"
	"syscall"
	"time"
)

// cpuTime returns the CPU time of this process and its children so far.
func cpuTime() (s spent, err error) {
	for who, to := range map[int]*time.Duration{syscall.RUSAGE_SELF: &s.Self, syscall.RUSAGE_CHILDREN: &s.Children} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			return s, fmt.Errorf("getrusage: %w", err)
		}
		*to = time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return s, nil
}
