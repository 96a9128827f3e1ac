//go:build goarena && goexperiment.arenas && !heaparena

package arena

import (
	goarena "arena"
	"unsafe"
)

// Backend names where the memory of arenas comes from in this binary: "slab",
// "heap" (tag heaparena) or "goarena" (tag goarena with GOEXPERIMENT=arenas).
const Backend = "goarena"

const (
	plainHeap = false
	merges    = false // a chunk is given back with its whole arena
)

// A source allocates chunks, here in an arena of the Go runtime. At Free its memory
// goes back to the operating system, so that a stale pointer faults.
type source struct {
	arena *goarena.Arena
}

func sourceSlice[T any](c *core, n int) []T {
	if c == nil {
		return make([]T, n)
	}
	if c.source.arena == nil {
		c.source.arena = goarena.NewArena()
	}
	return goarena.MakeSlice[T](c.source.arena, n, n)
}

func sourceRaw(c *core, n int) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(sourceSlice[uint64](c, (n+7)/8))) // aligned to 8
}

// trimWhole frees Go's arena if no slab is in use: it cannot free a part.
func (s source) trimWhole(c *core) bool {
	if s.arena == nil || c.used() != 0 {
		return true
	}
	for _, s := range c.slabs {
		for len(s.chunks) > 0 {
			s.dropLast()
		}
	}
	c.source.arena.Free()
	c.source.arena = nil
	return true
}

// recyclable gives everything back: with this backend a freed arena is gone.
func (s source) recyclable(c *core) bool {
	s.trimWhole(c)
	return true
}
