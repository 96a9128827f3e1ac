//go:build goexperiment.arenas && !slabarena

package main

import "arena"

// where names the memory that clones live in.
const where = "Go's arena"

// memory is where the clones of one request live: an arena of Go's own arena
// package.
type memory struct{ mem *arena.Arena }

func newMemory() memory { return memory{arena.NewArena()} }

// records returns n nil records.
func (m memory) records(n int) []*record {
	return arena.MakeSlice[*record](m.mem, n, n)
}

// clone copies a record and all that it can change. Strings are shared: nobody
// changes them, and an arena may point to the heap.
func (m memory) clone(r *record) *record {
	c := arena.New[record](m.mem)
	c.id = r.id
	c.payload = cloneSlice(m.mem, r.payload)
	if r.origin != nil {
		c.origin = arena.New[origin](m.mem)
		*c.origin = *r.origin
	}
	c.labels = cloneSlice(m.mem, r.labels)
	return c
}

func cloneSlice[T any](mem *arena.Arena, s []T) []T {
	if s == nil {
		return nil
	}
	c := arena.MakeSlice[T](mem, len(s), len(s))
	copy(c, s)
	return c
}

// bytes returns a copy of b.
func (m memory) bytes(b []byte) []byte { return cloneSlice(m.mem, b) }

// free ends all that came from this memory.
func (m memory) free() { m.mem.Free() }
