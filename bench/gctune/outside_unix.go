//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// growOutside takes n bytes of resident memory that the Go runtime knows
// nothing of, as C code does, in twenty steps over d.
func growOutside(n int, d time.Duration) (held [][]byte) {
	const steps = 20
	for range steps {
		b, err := syscall.Mmap(-1, 0, n/steps, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			fmt.Fprintln(os.Stderr, "worker: memory outside the heap:", err)
			os.Exit(1)
		}
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		held = append(held, b)
		time.Sleep(d / steps)
	}
	return held
}
