//go:build slabarena

package main

import "github.com/heapwright/heapwright/arena"

// where names the memory that the tree of a profile lives in.
const where = "an arena of slabs"

// memory is where the tree of one profile lives: an arena of this project.
type memory struct {
	mem   *arena.Arena
	nodes *arena.Slab[node]
}

func newMemory() memory {
	mem := arena.NewArena()
	return memory{mem, arena.NewSlab[node](mem)}
}

func (m memory) node() *node { return m.nodes.New() }

// free ends the tree. The next one gets its memory.
func (m memory) free() { m.mem.Free() }
