package main

import "sync"

// nodes is shared by all plots, as a pool in a program would be.
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

func (p pool) fell(n *Node) {
	if n.left != nil {
		p.fell(n.left)
		p.fell(n.right)
	}
	nodes.Put(n)
}
