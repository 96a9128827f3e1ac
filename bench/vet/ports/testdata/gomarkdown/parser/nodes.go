package parser

import (
	"github.com/gomarkdown/markdown/ast"
	"github.com/heapwright/heapwright/arena"
)

// In makes p allocate the nodes of its tree in a. The tree lives as long as a.
func (p *Parser) In(a *arena.Arena) *Parser {
	p.nodes, p.texts = a, arena.NewSlab[ast.Text](a)
	return p
}

func inTree[T any](p *Parser, v T) *T {
	n := arena.New[T](p.nodes)
	*n = v
	return n
}
