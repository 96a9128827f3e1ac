//go:build !race && !asan && !arenadebug

package arena

import "unsafe"

// reuse reports whether freed memory is handed out again. The other check_*.go files,
// for builds that look for uses of freed memory, set it to false.
const reuse = true

// markFreed does nothing in this build, in which a use of freed memory is not detected.
func markFreed(*slab, unsafe.Pointer, uintptr) {}
