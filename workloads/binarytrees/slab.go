package main

import "github.com/heapwright/heapwright/arena"

// slab gives trees the memory of this project's arena, which is reset and used
// again for the next tree.
type slab struct {
	mem   *arena.Arena
	nodes *arena.Slab[Node]
}

func newSlab() *slab {
	mem := arena.NewArena()
	return &slab{mem, arena.NewSlab[Node](mem)}
}

func (s *slab) grow(depth int) *Node {
	n := s.nodes.New()
	if depth > 0 {
		n.left, n.right = s.grow(depth-1), s.grow(depth-1)
	}
	return n
}

func (s *slab) release(*Node) { s.mem.Reset() }
