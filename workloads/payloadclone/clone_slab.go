//go:build slabarena

package main

import "github.com/heapwright/heapwright/arena"

// where names the memory that clones live in.
const where = "an arena of slabs"

// arenas keeps the memory of ended requests for the next ones.
var arenas arena.Pool

// memory is where the clones of one request live: an arena of this project.
type memory struct{ mem *arena.Arena }

func newMemory() memory { return memory{arenas.Get()} }

// records returns n nil records.
func (m memory) records(n int) []*record { return arena.MakeSlice[*record](m.mem, n, n) }

// clone copies a record and all that it can change. Strings are shared: nobody
// changes them, and an arena may point to the heap.
func (m memory) clone(r *record) *record {
	c := arena.New[record](m.mem)
	c.id = r.id
	c.payload = arena.Bytes(m.mem, r.payload)
	if r.origin != nil {
		c.origin = arena.New[origin](m.mem)
		*c.origin = *r.origin
	}
	if r.labels != nil {
		c.labels = arena.Append(m.mem, []label{}, r.labels...)
	}
	return c
}

// bytes returns a copy of b.
func (m memory) bytes(b []byte) []byte { return arena.Bytes(m.mem, b) }

// free ends all that came from this memory.
func (m memory) free() { m.mem.Free() }
