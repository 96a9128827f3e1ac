package main

// node is a call in a prefix tree of stacks: a function as called by the
// functions above it.
type node struct {
	function symbol
	self     int64 // value of the stacks that end here
	child    *node // first of those called from here
	sibling  *node // next of those called from the same caller
}

// slot returns the place of a function among those that n calls: the link to
// its node, or the end of the list, where a new node belongs. Callers call few
// functions each, so a list is as fast as anything that sorts.
func (n *node) slot(function symbol) **node {
	link := &n.child
	for *link != nil && (*link).function != function {
		link = &(*link).sibling
	}
	return link
}

// tree holds the stacks of one profile, in memory of its own.
type tree struct {
	root node
	mem  memory
}

// insert adds a stack, given from the leaf up as profiles have it.
func (t *tree) insert(stack []symbol, value int64) {
	at := &t.root
	for i := len(stack) - 1; i >= 0; i-- {
		link := at.slot(stack[i])
		if *link == nil {
			*link = t.mem.node()
			(*link).function = stack[i]
		}
		at = *link
	}
	at.self += value
}

// add adds another tree below n. The nodes that it makes are n's to keep.
func (n *node) add(other *node) {
	n.self += other.self
	for c := other.child; c != nil; c = c.sibling {
		link := n.slot(c.function)
		if *link == nil {
			*link = &node{function: c.function}
		}
		(*link).add(c)
	}
}
