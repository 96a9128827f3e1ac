package arena

import (
	"reflect"
	"runtime"
	"testing"
	"unsafe"
)

func TestResetKeepsWithinBound(t *testing.T) {
	a := NewArena()
	defer a.Free()
	const bound = 256 << 10
	a.Retain(bound)
	for range 3 {
		for range 100_000 {
			New[node](a)
			New[[5]int16](a)
		}
		a.Reset()
		if a.core.held > bound {
			t.Errorf("holds %d bytes after Reset, more than %d", a.core.held, bound)
		}
	}
	a.Trim()
	if a.core.held != 0 {
		t.Errorf("holds %d bytes after Reset and Trim", a.core.held)
	}
	New[node](a).value = 1
}

func TestTrimKeepsWhatIsUsed(t *testing.T) {
	a := NewArena()
	defer a.Free()
	n := New[node](a)
	n.value = 3
	m := a.Mark()
	for range 100_000 {
		New[node](a)
	}
	a.ResetTo(m)
	a.Trim()
	New[node](a).value = 4
	if n.value != 3 {
		t.Errorf("value reads %d after Trim", n.value)
	}
}

func TestCheckpointsAreKeptWithinBound(t *testing.T) {
	const marks = 10_000
	size := marks * int64(unsafe.Sizeof(position{}))
	for _, bound := range []int64{-1, size, 10 * size, 0} {
		a := new(Pool).Get()
		a.Retain(bound)
		for range marks {
			New[int](a)
			a.Mark()
		}
		a.Reset()
		if kept := int64(cap(a.core.marks.positions)) * int64(unsafe.Sizeof(position{})); bound != 0 && kept > max(bound, 0) || bound == 0 && kept < size {
			t.Errorf("%d bytes of checkpoints are kept, the bound is %d", kept, bound)
		}
		at := a.Mark()
		a.Trim()
		a.ResetTo(at)
		a.Reset()
		a.Trim()
		if n := cap(a.core.marks.positions) + cap(a.core.marks.stack); n != 0 {
			t.Errorf("%d checkpoints are kept after Reset and Trim", n)
		}
		a.Free()
	}
}

// liveHeap returns the bytes that a forced collection leaves.
func liveHeap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // the second sweeps objects that the first found dead
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestResetArenaInTheLiveHeap(t *testing.T) {
	if debugging {
		t.Skip("this build keeps freed memory, to look for writes to it")
	}
	const bound, slack = 4 << 20, 512 << 10 // slack: the runtime's and the test's own
	before := liveHeap()
	a := new(Pool).Get()
	a.Retain(bound)
	for range 1_000_000 {
		New[node](a)
	}
	a.Reset()
	if added := liveHeap() - before; added > bound+slack {
		t.Errorf("a reset arena adds %d bytes to the live heap, its bound is %d", added, bound)
	}
	a.Trim()
	if added := liveHeap() - before; added > slack {
		t.Errorf("a trimmed arena adds %d bytes to the live heap", added)
	}
	runtime.KeepAlive(a)
}

func TestDroppedArenaLeavesTheRegistry(t *testing.T) {
	var before, after int
	count := func() int {
		registry.RLock()
		defer registry.RUnlock()
		return len(registry.granules)
	}
	collected(func() bool { return false })
	before = count()
	func() {
		a := NewArena()
		for range 100_000 {
			New[node](a)
		}
	}()
	if !collected(func() bool { after = count(); return after <= before }) {
		t.Errorf("%d granules registered, %d before", after, before)
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	if plainHeap || !reuse {
		t.Skip("this build does not reuse memory")
	}
	a := NewArena()
	defer a.Free()
	s := NewSlab[node](a)
	round := func() {
		for range 5000 {
			s.New()
			New[int](a)
			MakeSlice[byte](a, 10, 20)
		}
		a.ResetTo(a.Mark())
		a.Reset()
	}
	round()
	if n := testing.AllocsPerRun(20, round); n != 0 {
		t.Errorf("%v allocations in a round, want none", n)
	}
	runtime.KeepAlive(a)
}

// TestReflectedRoundsDoNotAllocate resets slabs of types that the package knows
// only by reflection.
func TestReflectedRoundsDoNotAllocate(t *testing.T) {
	if plainHeap || !reuse {
		t.Skip("this build does not reuse memory")
	}
	type (
		first  [1]*int
		second [2]string
		third  [2]any
	)
	a := new(Pool).Get()
	defer a.Free()
	types := []reflect.Type{reflect.TypeFor[first](), reflect.TypeFor[second](), reflect.TypeFor[third]()}
	round := func() {
		for _, typ := range types {
			for range 100 {
				ReflectNew(a, typ)
			}
		}
		a.Reset()
	}
	for range 3 { // until one chunk serves each type
		round()
	}
	if n := testing.AllocsPerRun(20, round); n != 0 {
		t.Errorf("%v allocations in a round, want none", n)
	}
}
