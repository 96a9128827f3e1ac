package work

import (
	"sync"

	"github.com/heapwright/heapwright/arena"
)

// Tree builds a full binary tree, walks it and drops it.
const Tree = "tree"

const (
	treeDepth = 18
	treeNodes = 1<<(treeDepth+1) - 1
)

type node struct{ left, right *node }

func (n *node) count() uint64 {
	if n.left == nil {
		return 1
	}
	return 1 + n.left.count() + n.right.count()
}

func init() {
	add(Tree, Heap, func() Loop { return treeOnHeap })
	add(Tree, Pool, func() Loop { return treeInPool })
	add(Tree, Floor, treeInArray)
	add(Tree, Cleared, treeInClearedArray)
	add(Tree, Slab, func() Loop {
		a := arena.NewArena()
		s := arena.NewSlab[node](a)
		return func(n int) (sum uint64) {
			for range n {
				sum += growSlab(s, treeDepth).count()
				a.Reset()
			}
			return sum
		}
	})
	add(Tree, Ours, func() Loop {
		a := arena.NewArena()
		return func(n int) (sum uint64) {
			for range n {
				sum += growArena(a, treeDepth).count()
				a.Reset()
			}
			return sum
		}
	})
}

func treeOnHeap(n int) (sum uint64) {
	for range n {
		sum += growHeap(treeDepth).count()
	}
	return sum
}

func growHeap(depth int) *node {
	n := new(node)
	if depth > 0 {
		n.left, n.right = growHeap(depth-1), growHeap(depth-1)
	}
	return n
}

func growSlab(s *arena.Slab[node], depth int) *node {
	n := s.New()
	if depth > 0 {
		n.left, n.right = growSlab(s, depth-1), growSlab(s, depth-1)
	}
	return n
}

func growArena(a *arena.Arena, depth int) *node {
	n := arena.New[node](a)
	if depth > 0 {
		n.left, n.right = growArena(a, depth-1), growArena(a, depth-1)
	}
	return n
}

var nodePool = sync.Pool{New: func() any { return new(node) }}

func treeInPool(n int) (sum uint64) {
	for range n {
		root := growPool(treeDepth)
		sum += root.count()
		fell(root)
	}
	return sum
}

func growPool(depth int) *node {
	n := nodePool.Get().(*node)
	if depth > 0 {
		n.left, n.right = growPool(depth-1), growPool(depth-1)
	}
	return n
}

func fell(n *node) {
	if n.left != nil {
		fell(n.left)
		fell(n.right)
	}
	*n = node{}
	nodePool.Put(n)
}

// The floor: an array and an integer. The contestant makes the array, because a
// static one of 8 MiB would be a root that the collector scans in all cases.
var (
	nodes     *[treeNodes]node
	nodesUsed int
)

func growArray(depth int) *node {
	n := &nodes[nodesUsed]
	nodesUsed++
	if depth > 0 {
		n.left, n.right = growArray(depth-1), growArray(depth-1)
	}
	return n
}

func treeInArray() Loop {
	nodes = new([treeNodes]node)
	return func(n int) (sum uint64) {
		for range n {
			nodesUsed = 0
			sum += growArray(treeDepth).count()
		}
		return sum
	}
}

func treeInClearedArray() Loop {
	grow := treeInArray()
	return func(n int) (sum uint64) {
		for range n {
			sum += grow(1)
			clear(nodes[:nodesUsed])
		}
		return sum
	}
}
