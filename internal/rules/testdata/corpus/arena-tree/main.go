// Formulas are parsed into a tree, evaluated once and thrown away.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
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
	for p.at < len(p.text) && (p.text[p.at] == '+' || p.text[p.at] == '*') {
		op := p.text[p.at]
		p.at++
		n = &node{op: op, left: n, right: p.atom()} // want: short-lived
	}
	return n
}

func (p *parser) atom() *node {
	if p.text[p.at] == '(' {
		p.at++
		n := p.sum()
		p.at++
		return n
	}
	p.at++
	return &node{value: int(p.text[p.at-1] - '0')} // want: short-lived
}

func (n *node) eval() int {
	switch n.op {
	case '+':
		return n.left.eval() + n.right.eval()
	case '*':
		return n.left.eval() * n.right.eval() % 1000
	}
	return n.value
}

func evaluate(text string) int {
	p := parser{text: text}
	return p.sum().eval()
}

var total int

func main() {
	harness.Run(func() { total += evaluate("(1+2)*(3+4)+5*(6+7*(8+9))+(1+2*3)+(4+5*6)*7") })
}
