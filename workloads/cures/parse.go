package cures

import (
	"hash/crc32"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/workloads/program/cure"
)

// node is a piece of a parsed request.
type node struct {
	first, next *node
	from, to    int
	hash        uint32
}

// parser makes a tree of brackets of a text. The faulty one leaves the tree to
// the collector; the cured one resets the arena that holds it.
type parser struct {
	mem   *arena.Arena
	nodes *arena.Slab[node]
	sum   uint32
}

func newParser() *parser {
	mem := arena.NewArena()
	return &parser{mem: mem, nodes: arena.NewSlab[node](mem)}
}

var request = func() []byte {
	var text []byte
	var write func(depth int)
	write = func(depth int) {
		text = append(text, "(name and some text that is to be summed up"...)
		if depth > 0 {
			for range 4 {
				write(depth - 1)
			}
		}
		text = append(text, ')')
	}
	write(4)
	return text
}()

func (p *parser) serve() {
	root, _ := p.parse(request, 0)
	p.walk(root)
	if cure.Cured {
		p.mem.Reset()
	}
}

func (p *parser) parse(text []byte, at int) (*node, int) {
	var n *node
	if cure.Cured {
		n = p.nodes.New()
	} else {
		n = faultyNode()
	}
	n.from = at
	at++
	var last *node
	for text[at] != ')' {
		if text[at] != '(' {
			at++
			continue
		}
		var child *node
		child, at = p.parse(text, at)
		if last == nil {
			n.first = child
		} else {
			last.next = child
		}
		last = child
	}
	n.to = at + 1
	n.hash = crc32.ChecksumIEEE(text[n.from:min(n.to, n.from+64)])
	return n, n.to
}

func (p *parser) walk(n *node) {
	for ; n != nil; n = n.next {
		p.sum += n.hash
		p.walk(n.first)
	}
}

//go:noinline
func faultyNode() *node { return new(node) }
