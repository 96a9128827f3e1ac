package rules

import "testing"

const nodes = `package main

type node struct{ next *node }

var head *node

func load() { head = &node{head} }

func work() { _ = make([]byte, 100) }

func main() {}
`

func TestPointerHeap(t *testing.T) {
	t.Run("large", func(t *testing.T) {
		s := newScene(t, nodes)
		s.heaps[0].Heap(1e6, 1e6, s.frame("load", "head = &node")+start)
		s.cpu.CPU(60, s.frame("work", "make")+start)
		has(t, s.wants("pointer-heap", "head = &node").Title, "1M small objects")
	})
	t.Run("small", func(t *testing.T) {
		s := newScene(t, nodes)
		s.heaps[0].Heap(1e6, 1e4, s.frame("load", "head = &node")+start)
		s.wantsNone("pointer-heap")
	})
}
