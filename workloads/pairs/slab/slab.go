// Package slab is a pair for the rule on many short-lived objects under one
// root: a formula is parsed into a tree, evaluated, and dropped. Before, its
// nodes are on the heap; after, in an arena that ends with the formula.
package slab

import "github.com/heapwright/heapwright/arena"

// node is a number, a variable or an operation.
type node struct {
	kind        byte // 'n', 'v' or the operator
	value       float64
	left, right *node
}

func before(formulas []string, x float64) float64 {
	var sum float64
	for _, f := range formulas {
		p := parser{text: f, node: func() *node { return new(node) }} // want: short-lived
		sum += p.sum().eval(x)
	}
	return sum
}

func after(formulas []string, x float64) float64 {
	mem := arena.NewArena()
	defer mem.Free()
	nodes := arena.NewSlab[node](mem)
	var sum float64
	for _, f := range formulas {
		p := parser{text: f, node: nodes.New}
		sum += p.sum().eval(x)
		mem.Reset()
	}
	return sum
}

// parser reads sums of products of digits, x and sums in brackets.
type parser struct {
	text string
	at   int
	node func() *node
}

func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) sum() *node {
	left := p.product()
	for p.peek() == '+' || p.peek() == '-' {
		n := p.node()
		n.kind, n.left = p.text[p.at], left
		p.at++
		n.right = p.product()
		left = n
	}
	return left
}

func (p *parser) product() *node {
	left := p.factor()
	for p.peek() == '*' {
		p.at++
		n := p.node()
		n.kind, n.left = '*', left
		n.right = p.factor()
		left = n
	}
	return left
}

func (p *parser) factor() *node {
	c := p.peek()
	p.at++
	if c == '(' {
		n := p.sum()
		p.at++ // the closing bracket
		return n
	}
	n := p.node()
	if c == 'x' {
		n.kind = 'v'
		return n
	}
	n.kind, n.value = 'n', float64(c-'0')
	return n
}

func (n *node) eval(x float64) float64 {
	switch n.kind {
	case 'n':
		return n.value
	case 'v':
		return x
	case '+':
		return n.left.eval(x) + n.right.eval(x)
	case '-':
		return n.left.eval(x) - n.right.eval(x)
	}
	return n.left.eval(x) * n.right.eval(x)
}
