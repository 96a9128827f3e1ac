package diagnose

import "testing"

const trees = `package main

type node struct{ left, right *node }

func build(depth int) *node {
	if depth == 0 {
		return nil
	}
	return &node{build(depth - 1), build(depth - 1)}
}

func size(n *node) int {
	if n == nil {
		return 0
	}
	return 1 + size(n.left) + size(n.right)
}

func request(depth int) int {
	n := build(depth)
	return size(n)
}

func serve() {
	for {
		request(9)
	}
}

func main() {}
`

// The arena begins neither in the recursion nor in the loop around it.
func TestArena(t *testing.T) {
	s := newScene(t, trees)
	leaf := s.frame("build", "return &node")
	s.churn("runtime.newobject", leaf+leaf+s.frame("request", "n := build")+s.frame("serve", "request(9)"))
	f := s.wants("arena", "return &node")
	if f.Root == nil || f.Root.Function != "main.request" {
		t.Errorf("root %+v", f.Root)
	}
	has(t, f.Remedy, "Begin an arena in main.request")
	has(t, f.Escape, "returned")
}

func TestArenaNeedsObjectsThatDie(t *testing.T) {
	s := newScene(t, trees)
	path := s.frame("build", "return &node") + s.frame("request", "n := build")
	s.churn("runtime.newobject", path)
	s.heaps[0] = madeHeap(0).heap(1e6, 5e5, path+start)
	s.wantsNone("arena")
}

func TestArenaWithoutSource(t *testing.T) {
	s := newScene(t, trees).without()
	s.churn("runtime.newobject", s.frame("build", "return &node")+s.frame("request", "n := build"))
	s.wants("arena", "return &node")
}
