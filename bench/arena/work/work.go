// Package work holds the works by which arenas are compared, each done by every
// contestant: the same objects, filled, kept and checked by the same code, so
// that only where the memory comes from differs.
//
// A work is one file. It is no benchmark of package testing: a contestant does a
// given number of operations, so that a process's whole CPU time, the
// collector's included, can be divided by it.
package work

import "github.com/heapwright/heapwright/arena"

// The names of contestants.
const (
	Heap       = "heap"
	Pool       = "sync.Pool"
	GoArena    = "Go arena"
	Ristretto  = "z.Allocator"
	ByteBuffer = "bytebufferpool"
	Ours       = "arena"
	Slab       = "arena Slab"
	Freed      = "arena, freed"
	Floor      = "floor"
	Cleared    = "floor, cleared"

	ClearedEach = "floor, cleared one by one"
	Cursor      = "floor, by a cursor"
	Handle      = "floor, by a handle"
)

// A Loop does an operation n times and returns the sum of their check values.
// Every operation of a work has the same check value, whoever does it.
type Loop func(n int) uint64

// looped returns a loop over an operation of microseconds at least, beside which a call
// costs nothing.
func looped(once func() uint64) Loop {
	return func(n int) (sum uint64) {
		for range n {
			sum += once()
		}
		return sum
	}
}

// reset returns a loop over an operation in an arena, which is reset after each.
func reset(once func(*arena.Arena) uint64) Loop {
	a := arena.NewArena()
	return looped(func() uint64 {
		sum := once(a)
		a.Reset()
		return sum
	})
}

// A Contestant does a work in its way.
type Contestant struct {
	Work, Name string
	// New prepares, and does not yet do the work.
	New func() Loop `json:"-"`
}

// All holds every contestant of this build. Each work's file adds its own.
var All []Contestant

func add(work, name string, prepare func() Loop) {
	All = append(All, Contestant{work, name, prepare})
}

// Find returns the contestant of that name.
func Find(work, name string) (Contestant, bool) {
	for _, c := range All {
		if c.Work == work && c.Name == name {
			return c, true
		}
	}
	return Contestant{}, false
}
