package a

import (
	"github.com/heapwright/heapwright/arena"

	"example.org/t/shelf"
)

var shelves = shelf.New[*signal]()

func putOnShelf(p *arena.Pool) {
	a := p.Get()
	defer a.Free()
	shelves.Put("x", arena.New[signal](a)) // want `memory of the arena a is kept`
}

func pushedOnShelf(p *arena.Pool) {
	a := p.Get()
	defer a.Free()
	shelves.Push(arena.New[signal](a)) // want `memory of the arena a is kept`
}

func addedToShelf(p *arena.Pool) {
	a := p.Get()
	defer a.Free()
	shelves.Add(arena.New[signal](a)) // want `memory of the arena a is kept`
}

func soughtOnShelf(p *arena.Pool) bool {
	a := p.Get()
	defer a.Free()
	return shelves.Has("x", arena.New[signal](a))
}
