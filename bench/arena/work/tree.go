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
	add(Tree, Heap, treeOnHeap)
	add(Tree, Pool, func() Loop {
		return looped(func() uint64 {
			root := growPool(treeDepth)
			defer fell(root)
			return root.count()
		})
	})
	add(Tree, Floor, treeInArray)
	add(Tree, Cleared, func() Loop {
		grow := treeInArray()
		return looped(func() uint64 {
			defer func() { clear(nodes[:nodesUsed]) }()
			return grow(1)
		})
	})
	add(Tree, Slab, func() Loop {
		a := arena.NewArena()
		s := arena.NewSlab[node](a)
		return looped(func() uint64 {
			defer a.Reset()
			return growSlab(s, treeDepth).count()
		})
	})
	add(Tree, Ours, func() Loop {
		return reset(func(a *arena.Arena) uint64 { return growArena(a, treeDepth).count() })
	})
}

func treeOnHeap() Loop { return looped(func() uint64 { return growHeap(treeDepth).count() }) }

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
	return looped(func() uint64 {
		nodesUsed = 0
		return growArray(treeDepth).count()
	})
}
