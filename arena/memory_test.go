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
	m := a.Memory("Test")
	s := m.Slab(reflect.TypeFor[node](), 0)
	*m.Slot(memory.JSON) = s
	first := (*node)(m.Take(s, 1))
	first.next = first
	a.Reset()
	if again := (*node)(m.Take(s, 1)); again != first || again.next != nil {
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
	if got := next.Memory("Test").Slab(reflect.TypeFor[node](), 0); got != s {
		t.Error("the slab is not the same as before")
	}
	next.Free()
}

// SlabOf and a nested module share a slab. When the arena is freed, the user's
// handle takes the slab with it, and the slot must forget it.
func TestMemoryForgetsOrphans(t *testing.T) {
	c := newCore(new(Pool))
	a := onCore(c)
	m := a.Memory("Test")
	*m.Slot(memory.JSON) = m.Slab(reflect.TypeFor[int](), 0)
	SlabOf[int](a).New()
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
	m := a.Memory("Test")
	s := m.Slab(reflect.TypeFor[local](), 0)
	round := func() {
		for range 100 {
			m.Take(s, 3)
		}
		a.Reset()
	}
	round()
	round()
	if n := testing.AllocsPerRun(20, round); n != 0 {
		t.Errorf("%v allocations for each round, want 0", n)
	}
}
