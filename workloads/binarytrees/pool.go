package main

import "sync"

// nodes is one pool for all allocators, as a program would have it.
var nodes = sync.Pool{New: func() any { return new(Node) }}

// pool takes each node from a sync.Pool and puts it back.
type pool struct{}

func (p pool) grow(depth int) *Node {
	n := nodes.Get().(*Node)
	if depth == 0 {
		n.left, n.right = nil, nil
	} else {
		n.left, n.right = p.grow(depth-1), p.grow(depth-1)
	}
	return n
}

func (p pool) release(n *Node) {
	if n.left != nil {
		p.release(n.left)
		p.release(n.right)
	}
	nodes.Put(n)
}
