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
	rounds := 100_000
	if debugging {
		rounds = 10_000 // Leaks remembers each arena, which every collection has to mark
	}
	heap := make([][]*node, 1000)
	for i := range rounds {
		a := new(Pool).Get() // one of an earlier test may know other types
		New[node](a)
		size := a.core.slabs[1].chunks[0].size
		runtime.KeepAlive(a) // its cleanup empties the slabs
		p := &heap[i%len(heap)]
		*p = make([]*node, size/8)
		if contains(unsafe.Pointer(unsafe.SliceData(*p))) {
			t.Fatal("a heap value is taken for one of an arena that was collected")
		}
	}
}

// TestTrimmedMemoryIsOfNoArena gives back chunks that share granules of the
// registry with others, and one that spans many granules.
func TestTrimmedMemoryIsOfNoArena(t *testing.T) {
	const large = 8 * granule
	var arenas []*Arena
	var slices [][]byte
	for i := range 100 {
		size := 1 << 10
		if i == 0 {
			size = large
		}
		a := new(Pool).Get()
		arenas, slices = append(arenas, a), append(slices, MakeSlice[byte](a, size, size))
	}
	for i, a := range arenas {
		if i%2 == 0 {
			a.Reset()
			a.Trim()
		}
	}
	for i, s := range slices {
		for at := 0; at < len(s); at += 1 << 10 {
			part := s[at : at+1]
			cloned := &Clone(part)[0] != &part[0]
			if want := i%2 == 1 && !plainHeap; cloned != want {
				t.Fatalf("byte %d of slice %d is of an arena: %t, want %t", at, i, cloned, want)
			}
		}
	}
	runtime.KeepAlive(arenas)
}

// TestPromoteTellsNeighboursApart promotes values of arenas that lie beside heap
// values, where Promote remembers the owner of the last address.
func TestPromoteTellsNeighboursApart(t *testing.T) {
	type value struct {
		n    int
		next *value
	}
	// onHeap returns a value in memory of the size class of a chunk.
	onHeap := func(i int) *value {
		return &append(make([]value, 0, minChunk/unsafe.Sizeof(value{})), value{n: i})[0]
	}
	near, all := 0, []*value{}
	for i := range 100 {
		a := new(Pool).Get()
		defer a.Free()
		before, inArena, after := onHeap(i), New[value](a), onHeap(i)
		inArena.n = i
		all = append(all, before, inArena, after, inArena)
		if uintptr(unsafe.Pointer(inArena))/granule == uintptr(unsafe.Pointer(after))/granule {
			near++
		}
	}
	if Backend == "slab" && near == 0 {
		t.Fatal("no heap value lies beside a value of an arena")
	}
	for i, got := range Promote(all) {
		if want := i%2 == 1 && !plainHeap; got.n != i/4 || got != all[i] != want {
			t.Errorf("value %d is %d and copied: %t, want %t", i, got.n, got != all[i], want)
		}
	}
}

func containsString(s string) bool { return contains(unsafe.Pointer(unsafe.StringData(s))) }
