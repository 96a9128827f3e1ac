// Package walks visits nodes with fields that are visitors.
package walks

import (
	"github.com/heapwright/heapwright/arena"

	"example.org/t/walk"
)

type collector struct{ nodes map[string]*walk.Node }

func (c *collector) Visit(n *walk.Node) bool {
	c.nodes[n.Name] = n
	return true
}

type counter struct{ lines map[string]int }

func (c *counter) Visit(n *walk.Node) bool {
	c.lines[n.Name]++
	return true
}

type program struct {
	collector
	count counter
}

func (p *program) wrong(names []string) {
	a := arena.NewArena()
	defer a.Free()
	walk.Walk(walk.Parse(a, names), &p.collector) // want `Walk keeps memory of the arena a in what p refers to`
}

func (p *program) right(names []string) {
	a := arena.NewArena()
	defer a.Free()
	walk.Walk(walk.Parse(a, names), &p.count)
}
