//go:build !goexperiment.arenas && !slabarena

package main

// where names the memory that the tree of a profile lives in.
const where = "the heap"

// memory is where the tree of one profile lives: the heap.
type memory struct{}

func newMemory() memory { return memory{} }

func (memory) node() *node { return new(node) } // want: short-lived

func (memory) free() {}
