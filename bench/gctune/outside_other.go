//go:build !unix

package main

import (
	"fmt"
	"os"
	"time"
)

// growOutside has nothing to take memory with here. No worker comes so far:
// there is no memory cgroup to start it in.
func growOutside(int, time.Duration) [][]byte {
	fmt.Fprintln(os.Stderr, "worker: memory outside the heap is taken by mmap, which this system lacks: run on Linux")
	os.Exit(1)
	return nil
}
