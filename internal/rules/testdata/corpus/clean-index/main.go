// A large search tree whose nodes lie in one slice and name each other by number.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type node struct {
	key         uint64
	left, right int32
}

type tree struct{ nodes []node }

func (t *tree) insert(key uint64) {
	t.nodes = append(t.nodes, node{key: key})
	last := int32(len(t.nodes) - 1)
	for at := int32(0); at != last; {
		next := &t.nodes[at].left
		if key >= t.nodes[at].key {
			next = &t.nodes[at].right
		}
		if *next == 0 {
			*next = last
		}
		at = *next
	}
}

func (t *tree) has(key uint64) bool {
	for at := int32(0); ; {
		n := &t.nodes[at]
		switch {
		case n.key == key:
			return true
		case key < n.key:
			at = n.left
		default:
			at = n.right
		}
		if at == 0 {
			return false
		}
	}
}

func main() {
	const n = 1 << 18
	t := &tree{make([]node, 0, n)}
	for i := range uint64(n) {
		t.insert(i * 0x9E3779B97F4A7C15)
	}
	hits := 0
	harness.Run(func() {
		for i := range uint64(1000) {
			if t.has(i * 0x9E3779B97F4A7C15) {
				hits++
			}
		}
	})
}
