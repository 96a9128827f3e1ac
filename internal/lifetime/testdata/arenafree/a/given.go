package a

import (
	"example.org/t/helper"
	"github.com/heapwright/heapwright/arena"
)

// The function of the other package calls one that is not followed, and which frees nothing.
func countsPages(text string, wide []bool) int {
	a := arena.NewArena() // want `the arena a is not freed on the path that ends at line \d+; defer a.Free\(\)`
	n := helper.Pages(a, text, wide)
	if n == 0 {
		return 0
	}
	a.Free()
	return n
}

// A block lies in the arena that it holds.
type block struct {
	room   *arena.Arena
	locals []string
}

type function struct {
	room   *arena.Arena
	blocks []*block
}

func newBlock(room *arena.Arena) *block {
	b := arena.New[block](room)
	b.room = room
	return b
}

func (f *function) declare(name string) {
	b := f.blocks[len(f.blocks)-1]
	b.locals = arena.Append(b.room, b.locals, name)
}

func compiles(names []string) int {
	room := arena.NewArena() // want `the arena room is not freed on the path that ends at line \d+`
	f := &function{room: room}
	f.blocks = []*block{newBlock(room)}
	if len(names) == 0 {
		return 0
	}
	f.declare(names[0])
	room.Free()
	return len(names)
}

type scratch struct{ mem *arena.Arena }

func newScratch() *scratch { return &scratch{mem: arena.NewArena()} }

func (s *scratch) close() { s.mem.Free() }

// The functions get the arena by its owner, which this function closes on the other path.
func appliesSteps(in []int, steps []func(*scratch, []int) []int) int {
	s := newScratch() // want `the arena of s is not freed on the path that ends at line \d+; defer s.close\(\)`
	for _, step := range steps {
		if in = step(s, in); len(in) == 0 {
			return 0
		}
	}
	n := len(in)
	s.close()
	return n
}
