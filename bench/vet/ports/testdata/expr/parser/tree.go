package parser

import (
	"github.com/expr-lang/expr/conf"
	"github.com/heapwright/heapwright/arena"
)

// ParseIn is ParseWithConfig with the nodes of the tree in a.
func ParseIn(a *arena.Arena, input string, config *conf.Config) (*Tree, error) {
	p := Parser{nodes: a}
	return p.Parse(input, config)
}

func inTree[T any](p *Parser, v T) *T {
	n := arena.New[T](p.nodes)
	*n = v
	return n
}
