//go:build race && !arenadebug

package arena

import (
	"runtime"
	"unsafe"
)

const reuse = false

// markFreed makes every later use of the n bytes at p a data race, even by the
// goroutine that frees them. Another goroutine writes them, and the caller waits for
// it unseen by the race detector, so that nothing orders the write before the
// caller's next step.
func markFreed(_ *slab, p unsafe.Pointer, n uintptr) {
	done := make(chan struct{})
	go func() {
		runtime.RaceWriteRange(p, int(n))
		close(done)
	}()
	runtime.RaceDisable()
	<-done
	runtime.RaceEnable()
}
