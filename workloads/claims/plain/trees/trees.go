// Package trees builds and drops binary trees, as the program of the Computer
// Language Benchmarks Game does, in plain Go that every release since 1.20
// compiles: on the heap, or with GOEXPERIMENT=arenas in Go's own arenas.
package trees

type node struct{ left, right *node }

func build(m memory, depth int) *node {
	n := m.node()
	if depth > 0 {
		n.left, n.right = build(m, depth-1), build(m, depth-1)
	}
	return n
}

func (n *node) check() int {
	if n.left == nil {
		return 1
	}
	return 1 + n.left.check() + n.right.check()
}

// tree builds a tree of so many levels, counts it, and drops it.
func tree(depth int) int {
	m := begin()
	defer m.end()
	return build(m, depth).check()
}
