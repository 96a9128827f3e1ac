//go:build goexperiment.arenas

package main

import "arena"

var tagged = []variant{{"goarena", func() allocator { return &goArena{} }}}

// goArena gives each tree an arena of Go's own arena package and frees it with
// the tree.
type goArena struct{ mem *arena.Arena }

func (a *goArena) grow(depth int) *Node {
	a.mem = arena.NewArena()
	return growIn(a.mem, depth)
}

func growIn(mem *arena.Arena, depth int) *Node {
	n := arena.New[Node](mem)
	if depth > 0 {
		n.left, n.right = growIn(mem, depth-1), growIn(mem, depth-1)
	}
	return n
}

func (a *goArena) release(*Node) { a.mem.Free() }
