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

// generation counts the trees of one depth and their nodes.
type generation struct{ depth, trees, nodes int }

// shortLived grows trees on p, one after the other, of the depths minDepth,
// minDepth+2 … depth. There are half as many for each level of depth, so that
// every generation has about 2^(depth+5) nodes.
func shortLived(p plot, depth int) []generation {
	var all []generation
	for d := minDepth; d <= depth; d += 2 {
		g := generation{depth: d, trees: 1 << (depth - d + minDepth)}
		for range g.trees {
			root := p.grow(d)
			g.nodes += root.count()
			p.fell(root)
		}
		all = append(all, g)
	}
	return all
}
