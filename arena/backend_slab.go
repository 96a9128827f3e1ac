//go:build !heaparena && !(goarena && goexperiment.arenas)

package arena

import (
	"strings"
	"unsafe"
)

// Backend names where the memory of arenas comes from in this binary: "slab",
// "heap" (tag heaparena) or "goarena" (tag goarena with GOEXPERIMENT=arenas).
const Backend = "slab"

// merges reports whether a chunk can be given back alone.
const merges = true

// plainHeap makes every value a plain heap allocation.
const plainHeap = false

// A source allocates chunks, in this backend on the ordinary heap, so that the
// collector knows the type of all memory and scans it precisely.
type source struct{}

func sourceSlice[T any](_ *core, n int) []T { return make([]T, n) }

// sourceRaw returns n uncleared bytes: unlike make, a Builder does not clear its
// memory. The runtime aligns all memory of 8 bytes and more to 8.
func sourceRaw(_ *core, n int) unsafe.Pointer {
	var b strings.Builder
	b.Grow(max(n, 8))
	b.WriteByte(0) // the address of an empty string is not specified
	return unsafe.Pointer(unsafe.StringData(b.String()))
}

// trimWhole trims c if the source can only give back everything at once.
func (source) trimWhole(*core) bool { return false }

// recyclable reports whether the core of a freed arena can serve another.
func (source) recyclable(*core) bool { return reuse }
