//go:build asan && !arenadebug

package arena

/*
#include <stddef.h>
#include <stdint.h>

extern void __asan_poison_memory_region(void const volatile *addr, size_t size);

static void markFreed(uintptr_t p, size_t n) {
	__asan_poison_memory_region((void *)p, n);
}
*/
import "C"

import "unsafe"

const reuse = false

// markFreed makes every later use of the n bytes at p an error of the address
// sanitizer, until the collector hands the memory out again.
func markFreed(_ *slab, p unsafe.Pointer, n uintptr) {
	C.markFreed(C.uintptr_t(uintptr(p)), C.size_t(n))
}
