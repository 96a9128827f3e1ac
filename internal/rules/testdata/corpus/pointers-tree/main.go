// A large tree of pointers is marked again and again while small things come and go.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type node struct {
	key         uint64
	left, right *node
}

func insert(n *node, key uint64) *node {
	for p := &n; ; {
		switch {
		case *p == nil:
			*p = &node{key: key} // want: pointer-heap
			return n
		case key < (*p).key:
			p = &(*p).left
		default:
			p = &(*p).right
		}
	}
}

func (n *node) has(key uint64) bool {
	for n != nil && n.key != key {
		if key < n.key {
			n = n.left
		} else {
			n = n.right
		}
	}
	return n != nil
}

var scratch []byte

func main() {
	var root *node
	for i := range uint64(1 << 20) {
		root = insert(root, i*0x9E3779B97F4A7C15)
	}
	hits := 0
	harness.Run(func() {
		scratch = make([]byte, 64<<10)
		for i := range uint64(20) {
			if root.has(i * 0x9E3779B97F4A7C15) {
				hits++
			}
		}
	})
}
