// Package tree parses formulas into trees that die with the call.
package tree

import (
	"fmt"
	"strings"
)

type node struct {
	op          byte
	value       int
	left, right *node
}

type parser struct {
	text string
	at   int
}

func (p *parser) sum() *node {
	n := p.atom()
	for p.at < len(p.text) && p.text[p.at] == '+' {
		op := p.text[p.at]
		p.at++
		n = &node{op: op, left: n, right: p.atom()} // object
	}
	return n
}

func (p *parser) atom() *node {
	p.at++
	if p.text[p.at-1] == '(' {
		n := p.sum()
		p.at++
		return n
	}
	n := new(node) // object
	n.value = int(p.text[p.at-1] - '0')
	return n
}

func (n *node) eval() int {
	if n.op == '+' {
		return n.left.eval() + n.right.eval()
	}
	return n.value
}

// Evaluate has a comment, which stays with it.
func Evaluate(text string) int { // want `use an arena`
	p := parser{text: strings.TrimSpace(text)}
	return p.sum().eval() // root
}

// Parse keeps the tree, and gets it from the heap.
func Parse(text string) fmt.Stringer {
	p := parser{text: text}
	return stringer{p.sum()}
}

type stringer struct{ *node }

func (s stringer) String() string { return "tree" }

func later(text string) func() int {
	p := parser{text: text}
	go p.sum()
	return func() int { return p.sum().eval() }
}

// Sums parses several formulas.
func (p *parser) Sums(n int, _ string) (all []*node) {
	for range n {
		all = append(all, p.sum())
	}
	return all
}
