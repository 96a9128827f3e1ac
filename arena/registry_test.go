package arena

import (
	"runtime"
	"runtime/debug"
	"testing"
	"unsafe"
)

// TestCollectedMemoryIsOfNoArena drops arenas without Free while heap values take
// the places of their chunks: memory that was collected may be in use again
// before the cleanup of its arena has run.
func TestCollectedMemoryIsOfNoArena(t *testing.T) {
	if Backend != "slab" {
		t.Skip("heap values never take the place of an arena's chunks")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // cleanups wait
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	heap := make([][]*node, 1000)
	for i := range 100_000 {
		a := NewArena()
		New[node](a)
		p := &heap[i%len(heap)]
		*p = make([]*node, a.core.slabs[1].chunks[0].size/8)
		if contains(unsafe.Pointer(unsafe.SliceData(*p))) {
			t.Fatal("a heap value is taken for one of an arena that was collected")
		}
	}
}
