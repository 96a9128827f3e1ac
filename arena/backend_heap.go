//go:build heaparena

package arena

import "unsafe"

// Backend names where the memory of arenas comes from in this binary: "slab",
// "heap" (tag heaparena) or "goarena" (tag goarena with GOEXPERIMENT=arenas).
const Backend = "heap"

// plainHeap makes every value a plain heap allocation, so that a program can stop
// using arenas without a change of code.
const plainHeap = true

const merges = false // there are no chunks

type source struct{}

func sourceSlice[T any](_ *core, n int) []T { return make([]T, n) }

func sourceRaw(_ *core, n int) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, (n+7)/8))) // aligned to 8
}

func (source) trimWhole(*core) bool  { return false }
func (source) recyclable(*core) bool { return true }
