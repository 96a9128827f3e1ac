package main

import (
	"sync"
	"sync/atomic"
)

// node is small and holds pointers, as most objects of a service do.
type node struct {
	next, _ *node
	value   int
}

var sink atomic.Int64

func list(n int) *node {
	var head *node
	for i := range n {
		head = &node{next: head, value: i}
	}
	return head
}

// fields is how many objects a request decodes into: 2.4 MB.
const fields = 100_000

// fresh decodes into new objects.
func fresh(i int) int {
	var head *node
	for f := range fields {
		head = &node{next: head, value: f ^ i} // assists
	}
	return add(head)
}

// kept decodes into objects that earlier requests have left.
func kept(i int) int {
	nodes := pool.Get().(*[fields]node)
	defer pool.Put(nodes)
	var head *node
	for f := range fields {
		nodes[f] = node{next: head, value: f ^ i}
		head = &nodes[f]
	}
	return add(head)
}

var pool = sync.Pool{New: func() any { return new([fields]node) }}

func add(head *node) (sum int) {
	for ; head != nil; head = head.next {
		sum += head.value
	}
	return sum
}
