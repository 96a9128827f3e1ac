package main

import (
	"sync"
	"unsafe"

	"github.com/dgraph-io/ristretto/v2/z"

	"github.com/heapwright/heapwright/arena"
)

// object is 64 bytes without pointers.
type object struct {
	id    int
	other [7]int
}

// kept holds the objects of a round.
var kept [1000]*object

func fill(next func() *object) {
	for i := range kept {
		o := next()
		o.id = i
		kept[i] = o
	}
}

func slabObjects(s *arena.Slab[object]) {
	for i := range kept {
		o := s.New()
		o.id = i
		kept[i] = o
	}
}

func newObjects(a *arena.Arena) {
	for i := range kept {
		o := arena.New[object](a)
		o.id = i
		kept[i] = o
	}
}

func heapObjects() {
	for i := range kept {
		kept[i] = &object{id: i}
	}
}

// floorObjects is a static array. Writing a whole object is what it takes to
// make it zero but for its id.
var floorArray [1000]object

func floorObjects() {
	for i := range kept {
		o := &floorArray[i]
		*o = object{id: i}
		kept[i] = o
	}
}

var objectPool = sync.Pool{New: func() any { return new(object) }}

func init() {
	cases["objects/heap"] = repeat(heapObjects)
	cases["objects/New"] = func(n int) {
		a := arena.NewArena()
		for range n {
			newObjects(a)
			a.Reset()
		}
	}
	cases["objects/Slab"] = func(n int) {
		a := arena.NewArena()
		s := arena.SlabOf[object](a)
		for range n {
			slabObjects(s)
			a.Reset()
		}
	}
	cases["objects/first use"] = repeat(func() { newObjects(arena.NewArena()) })
	cases["objects/sync.Pool"] = repeat(func() {
		fill(func() *object { return objectPool.Get().(*object) })
		for _, o := range kept {
			*o = object{}
			objectPool.Put(o)
		}
	})
	cases["objects/z.Allocator"] = func(n int) {
		a := z.NewAllocator(1<<20, "bench")
		for range n {
			fill(func() *object {
				return (*object)(unsafe.Pointer(unsafe.SliceData(a.AllocateAligned(int(unsafe.Sizeof(object{}))))))
			})
			a.Reset()
		}
		a.Release()
	}
	cases["objects/floor"] = repeat(floorObjects)
}
