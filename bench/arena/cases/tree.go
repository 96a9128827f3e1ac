package main

import (
	"sync"
	"unsafe"

	"github.com/dgraph-io/ristretto/v2/z"

	"github.com/heapwright/heapwright/arena"
)

type node struct{ left, right *node }

const (
	depth = 18
	nodes = 1<<(depth+1) - 1
)

// count walks a tree.
func (n *node) count() int {
	if n.left == nil {
		return 1
	}
	return 1 + n.left.count() + n.right.count()
}

func check(t *node) {
	if t.count() != nodes {
		panic("the tree is not complete")
	}
}

func heapTree(d int) *node {
	if d == 0 {
		return &node{}
	}
	return &node{heapTree(d - 1), heapTree(d - 1)}
}

func newTree(a *arena.Arena, d int) *node {
	n := arena.New[node](a)
	if d > 0 {
		n.left, n.right = newTree(a, d-1), newTree(a, d-1)
	}
	return n
}

func slabTree(s *arena.Slab[node], d int) *node {
	n := s.New()
	if d > 0 {
		n.left, n.right = slabTree(s, d-1), slabTree(s, d-1)
	}
	return n
}

var nodePool = sync.Pool{New: func() any { return new(node) }}

func pooledTree(d int) *node {
	n := nodePool.Get().(*node)
	if d > 0 {
		n.left, n.right = pooledTree(d-1), pooledTree(d-1)
	}
	return n
}

func (n *node) putBack() {
	if n.left != nil {
		n.left.putBack()
		n.right.putBack()
	}
	*n = node{}
	nodePool.Put(n)
}

func zTree(a *z.Allocator, d int) *node {
	n := (*node)(unsafe.Pointer(unsafe.SliceData(a.AllocateAligned(int(unsafe.Sizeof(node{}))))))
	if d > 0 {
		n.left, n.right = zTree(a, d-1), zTree(a, d-1)
	}
	return n
}

// floorNodes is a static array: no allocator can be faster than an index.
var (
	floorNodes [nodes]node
	floorNext  int
)

func floorTree(d int) *node {
	n := &floorNodes[floorNext]
	floorNext++
	if d > 0 {
		n.left, n.right = floorTree(d-1), floorTree(d-1)
	} else {
		n.left, n.right = nil, nil
	}
	return n
}

func init() {
	cases["tree/heap"] = repeat(func() { check(heapTree(depth)) })
	cases["tree/New"] = func(n int) {
		a := arena.NewArena()
		for range n {
			check(newTree(a, depth))
			a.Reset()
		}
	}
	cases["tree/Slab"] = func(n int) {
		a := arena.NewArena()
		s := arena.SlabOf[node](a)
		for range n {
			check(slabTree(s, depth))
			a.Reset()
		}
	}
	cases["tree/first use"] = repeat(func() { check(newTree(arena.NewArena(), depth)) })
	cases["tree/sync.Pool"] = repeat(func() {
		t := pooledTree(depth)
		check(t)
		t.putBack()
	})
	cases["tree/z.Allocator"] = func(n int) {
		a := z.NewAllocator(16<<20, "bench")
		for range n {
			check(zTree(a, depth))
			a.Reset()
		}
		a.Release()
	}
	cases["tree/floor"] = repeat(func() {
		floorNext = 0
		check(floorTree(depth))
	})
}
