//go:build goexperiment.arenas && !slabarena

package main

import "arena"

// where names the memory that the tree of a profile lives in.
const where = "Go's arena"

// memory is where the tree of one profile lives: an arena of Go's own package.
type memory struct{ mem *arena.Arena }

func newMemory() memory { return memory{arena.NewArena()} }

func (m memory) node() *node { return arena.New[node](m.mem) }

func (m memory) free() { m.mem.Free() }
