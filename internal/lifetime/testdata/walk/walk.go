// Package walk visits the nodes of a list in an arena.
package walk

import "github.com/heapwright/heapwright/arena"

type Node struct {
	Name string
	Next *Node
}

type Visitor interface{ Visit(*Node) bool }

func Parse(a *arena.Arena, names []string) (first *Node) {
	for _, name := range names {
		n := arena.New[Node](a)
		n.Name, n.Next = name, first
		first = n
	}
	return first
}

func Walk(n *Node, v Visitor) {
	for ; n != nil && v.Visit(n); n = n.Next {
	}
}
