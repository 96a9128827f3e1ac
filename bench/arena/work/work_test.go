package work

import (
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"unsafe"

	"github.com/heapwright/heapwright/arena"
)

// TestSameResult also runs collections, which would meet pointers that a
// contestant hides or leaves behind.
func TestSameResult(t *testing.T) {
	want := map[string]uint64{}
	for _, c := range All {
		loop := c.New()
		once := loop(1)
		runtime.GC()
		if got := loop(3); got != 3*once {
			t.Errorf("%s, %s: three operations yield %d, one %d", c.Work, c.Name, got, once)
		}
		if w, ok := want[c.Work]; ok && w != once {
			t.Errorf("%s, %s: an operation yields %d, another contestant's %d", c.Work, c.Name, once, w)
		}
		if want[c.Work] = once; once == 0 {
			t.Errorf("%s, %s: an operation yields nothing to check", c.Work, c.Name)
		}
	}
}

// TestSteadyState asserts that a reset arena allocates nothing: neither objects
// nor bytes.
func TestSteadyState(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	steady := map[string]bool{Tree: true, Small: true, SmallWalked: true, Mixed: true, Map: true, MapSized: true,
		Clones8x256: true, Clones1x4K: true, Clones32x4K: true}
	for _, c := range All {
		if c.Name != Slab && c.Name != Ours || !steady[c.Work] {
			continue
		}
		t.Run(c.Work+"/"+c.Name, func(t *testing.T) {
			loop := c.New()
			loop(2)
			var before, after runtime.MemStats
			const operations = 10
			allocs := testing.AllocsPerRun(operations, func() { loop(1) })
			runtime.ReadMemStats(&before)
			loop(operations)
			runtime.ReadMemStats(&after)
			if bytes := after.TotalAlloc - before.TotalAlloc; allocs != 0 || bytes != 0 {
				t.Errorf("%v allocations per operation, %d B in %d operations; want none", allocs, bytes, operations)
			}
		})
	}
}

// TestInTurns asserts that contestants that take turns copy to places that lie
// alike within their pages, and to the same result.
func TestInTurns(t *testing.T) {
	for _, w := range cloneWorks {
		turns := InTurns(w.name)
		if len(turns) == 0 {
			t.Errorf("%s: nobody takes turns", w.name)
			continue
		}
		once := turns[0].Loop(1)
		places := pagePlaces(w.count)
		for _, turn := range turns {
			if got := turn.Loop(2); got != 2*once {
				t.Errorf("%s, %s: two operations yield %d, one of another %d", w.name, turn.Name, got, once)
			}
			if turn.Name == Ours && !reused() {
				continue // a build that looks for misuse gives each round other memory
			}
			if got := pagePlaces(w.count); !slices.Equal(got, places) {
				t.Errorf("%s, %s: copies lie at %v of their pages, others at %v", w.name, turn.Name, got, places)
			}
		}
	}
	if InTurns(Tree) != nil {
		t.Error("trees take turns")
	}
}

// pagePlaces returns where the copies of the last operation lie in their pages.
func pagePlaces(count int) (places []uintptr) {
	for _, c := range keptClones[:count] {
		places = append(places, uintptr(unsafe.Pointer(unsafe.SliceData(c)))%page)
	}
	slices.Sort(places)
	return places
}

// reused reports whether a reset arena hands out the same memory again.
func reused() bool {
	a := arena.NewArena()
	defer a.Free()
	before := unsafe.SliceData(arena.Bytes(a, make([]byte, 8)))
	a.Reset()
	return before == unsafe.SliceData(arena.Bytes(a, make([]byte, 8)))
}
