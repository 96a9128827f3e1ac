//go:build race && !arenadebug

package arena

import (
	"runtime"
	"unsafe"
)

const reuse = false

// condemn makes every later use of the n bytes at p a data race, by the
// goroutine that frees them too: another goroutine writes them, and the caller
// waits for it unseen by the race detector, so that nothing orders the write
// before what the caller does next.
func condemn(_ *slab, p unsafe.Pointer, n uintptr) {
	done := make(chan struct{})
	go func() {
		runtime.RaceWriteRange(p, int(n))
		close(done)
	}()
	runtime.RaceDisable()
	<-done
	runtime.RaceEnable()
}
