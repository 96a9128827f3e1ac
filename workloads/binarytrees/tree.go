package main

// Node is a node of a full binary tree: both children are set, or neither.
type Node struct{ left, right *Node }

// count returns the number of nodes, which is the check value of a tree.
func (n *Node) count() int {
	if n.left == nil {
		return 1
	}
	return 1 + n.left.count() + n.right.count()
}

// minDepth is the depth of the smallest short-lived trees.
const minDepth = 4

// A batch counts the trees of one depth and all their nodes.
type batch struct{ depth, trees, nodes int }

// shortLived grows trees in a, one after the other, of the depths minDepth,
// minDepth+2 … depth. There are half as many for each level of depth, so that
// every batch has about 2^(depth+5) nodes.
func shortLived(a allocator, depth int) []batch {
	var all []batch
	for d := minDepth; d <= depth; d += 2 {
		b := batch{depth: d, trees: 1 << (depth - d + minDepth)}
		for range b.trees {
			root := a.grow(d)
			b.nodes += root.count()
			a.release(root)
		}
		all = append(all, b)
	}
	return all
}
