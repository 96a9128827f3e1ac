package gctune

import "syscall"

// mapOutside takes resident memory that the Go runtime knows nothing of.
func mapOutside(n int) []byte {
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	for i := 0; i < n; i += 4096 {
		b[i] = 1
	}
	return b
}
