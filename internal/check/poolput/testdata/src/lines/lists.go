package lines

import (
	"slices"
	"sync"
)

type node struct {
	kids []*node
	text string
}

var nodes = sync.Pool{New: func() any { return new(node) }}

// prune keeps the children that it puts.
func prune(n *node) {
	for _, k := range n.kids {
		if k.text == "" {
			nodes.Put(k)
		}
	}
}

func size(n *node) (total int) {
	prune(n)
	for _, k := range n.kids {
		total += len(k.text) // want `k shares memory with n.kids, and is used after prune`
	}
	return total
}

func removes(n *node) {
	n.kids = slices.DeleteFunc(n.kids, func(k *node) bool {
		if k.text != "" {
			return false
		}
		nodes.Put(k)
		return true
	})
}

func sizeLeft(n *node) (total int) {
	removes(n)
	for _, k := range n.kids {
		total += len(k.text)
	}
	return total
}

func compacts(n *node) (total int) {
	kept := n.kids[:0]
	for _, k := range n.kids {
		if k.text == "" {
			nodes.Put(k)
		} else {
			kept = append(kept, k)
		}
	}
	for _, k := range kept {
		total += len(k.text)
	}
	return total
}

func shrinks(n *node, most int) (total int) {
	for i := most; i < len(n.kids); i++ {
		nodes.Put(n.kids[i])
	}
	for _, k := range n.kids[:most] {
		total += len(k.text)
	}
	return total
}

func replaced(n *node) (total int) {
	for i, k := range n.kids {
		nodes.Put(k)
		n.kids[i] = new(node)
	}
	for _, k := range n.kids {
		total += len(k.text)
	}
	return total
}

func puts(n *node) {
	for _, k := range n.kids {
		nodes.Put(k)
	}
	n.kids = n.kids[:0]
}
