package arena

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/memory"
)

// onCore returns an arena on a core that the test knows.
func onCore(c *core) *Arena {
	c.retain, c.trace = DefaultRetain, newTrace(c)
	return &Arena{core: c, trace: c.trace}
}

// A value that a nested module binds to a core is there again when a pool hands the
// core to the next arena.
func TestMemoryOutlivesTheArena(t *testing.T) {
	if !reuse || plainHeap {
		t.Skip("this build does not reuse memory")
	}
	type node struct{ next *node }
	c := newCore(new(Pool))
	a := onCore(c)
	m := memory.Of(a, "Test")
	s := m.Slab(reflect.TypeFor[node](), 0)
	*m.Slot(memory.JSON) = s
	first := (*node)(m.Take(s, 1, 0))
	first.next = first
	a.Reset()
	if again := (*node)(m.Take(s, 1, 0)); again != first || again.next != nil {
		t.Errorf("got %p holding %v after a Reset, want %p, cleared", again, again.next, first)
	}
	if s.Left == 0 {
		t.Fatal("the window is empty")
	}
	s.Left -= unsafe.Sizeof(node{})
	(*node)(unsafe.Add(s.Base, s.Left)).next = first
	if got := a.Stats().Objects; got != 2 {
		t.Errorf("%d objects after one Take and one from the window, want 2", got)
	}
	a.Free()
	if *m.Slot(memory.JSON) != any(s) {
		t.Error("the slot did not keep its value")
	}
	if *m.Slot(memory.Protobuf) != nil {
		t.Error("another module has the value of the slot")
	}
	next := onCore(c)
	if got := memory.Of(next, "Test").Slab(reflect.TypeFor[node](), 0); got != s {
		t.Error("the slab is not the same as before")
	}
	next.Free()
}

// NewSlab and a nested module share a slab. When the arena is freed, the user's
// handle takes the slab with it, and the slot must forget it.
func TestMemoryForgetsOrphans(t *testing.T) {
	c := newCore(new(Pool))
	a := onCore(c)
	m := memory.Of(a, "Test")
	*m.Slot(memory.JSON) = m.Slab(reflect.TypeFor[int](), 0)
	NewSlab[int](a).New()
	a.Free()
	if *m.Slot(memory.JSON) != nil {
		t.Error("the slot still refers to a slab that users hold")
	}
}

// A type that is known by reflection alone costs nothing in a steady state.
func TestReflectResetDoesNotAllocate(t *testing.T) {
	if !reuse || plainHeap {
		t.Skip("this build does not reuse memory")
	}
	type local struct{ _ *int }
	a := NewArena()
	defer a.Free()
	m := memory.Of(a, "Test")
	s := m.Slab(reflect.TypeFor[local](), 0)
	round := func() {
		for range 100 {
			m.Take(s, 3, 0)
		}
		a.Reset()
	}
	round()
	round()
	if n := testing.AllocsPerRun(20, round); n != 0 {
		t.Errorf("%v allocations for each round, want 0", n)
	}
}

// A slab whose caller knows how much is ahead takes no more memory than that, and
// never more than without this knowledge.
func TestChunksAreNoLargerThanNeeded(t *testing.T) {
	if !reuse || plainHeap {
		t.Skip("this build allocates memory in another way")
	}
	type node [2]*int
	retained := func(n int, ahead func(taken int) float64) int64 {
		a := onCore(newCore(new(Pool)))
		defer a.Free()
		m := memory.Of(a, "Test")
		s := m.Slab(reflect.TypeFor[node](), 1) // the first chunk is small
		for i := range n {
			m.Take(s, 1, ahead(i))
		}
		return a.Stats().Retained
	}
	for n := 1; n < 50_000; n += n/3 + 1 {
		need := int64(n) * int64(unsafe.Sizeof(node{}))
		exact := retained(n, func(taken int) float64 { return float64(n-taken) / float64(taken+1) })
		if most := need + need/4 + 4<<10; exact > most {
			t.Errorf("%d bytes take %d, want at most %d", need, exact, most)
		}
		unknown := retained(n, func(int) float64 { return 0 })
		if wrong := retained(n, func(int) float64 { return 1e9 }); wrong > unknown+unknown/2+minChunk {
			t.Errorf("%d bytes take %d with a wrong estimate, %d without one", need, wrong, unknown)
		}
	}
}
