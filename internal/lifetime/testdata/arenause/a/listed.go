package a

import (
	"fmt"

	"github.com/heapwright/heapwright/arena"
)

// A chapter closes its parts; the field has a name of the engine's own.
type chapter struct {
	room  *arena.Arena
	words []string
	parts []*chapter
}

func (c *chapter) close() {
	for _, p := range c.parts {
		p.close()
	}
	c.room.Free()
}

func partOfClosed(words []string) int {
	c := &chapter{room: arena.NewArena()}
	p := &chapter{room: arena.NewArena()}
	c.parts = append(c.parts, p)
	p.words = arena.Append(p.room, p.words, words...)
	c.close()
	return len(p.words[0]) // want `p.words is used after .*Free`
}

type step interface {
	run(words []string) *string
	close()
}

type lengthiest struct{ room *arena.Arena }

func (l *lengthiest) run(words []string) *string {
	s := arena.New[string](l.room)
	for _, w := range words {
		*s = max(*s, w)
	}
	return s
}

func (l *lengthiest) close() { l.room.Free() }

func newStep() step { return &lengthiest{arena.NewArena()} }

func eachStep(words []string) {
	for _, s := range []step{newStep(), newStep()} {
		fmt.Println(*s.run(words))
		got := s.run(words)
		s.close()
		fmt.Println(*got) // want `got is used after .*Free`
	}
}

func allShards(words []string) {
	shards := make([]*chapter, 4)
	for i := range shards {
		shards[i] = &chapter{room: arena.NewArena()}
	}
	for i, w := range words {
		s := shards[i%4]
		s.words = arena.Append(s.room, s.words, w)
	}
	for _, s := range shards {
		s.room.Free()
	}
	for _, s := range shards {
		fmt.Println(s.words) // want `s.words is used after .*Free`
	}
}

// The blocks of a unit lie in its arena.
type unit struct {
	*arena.Arena
	blocks []*[]int32
	start  arena.Checkpoint
}

func newUnit() *unit {
	a := arena.NewArena()
	return &unit{Arena: a, start: a.Mark()}
}

func (u *unit) block() *[]int32 {
	b := arena.New[[]int32](u.Arena)
	u.blocks = append(u.blocks, b)
	return b
}

func (u *unit) finish() (n int) {
	u.Reset()
	for _, b := range u.blocks {
		n += len(*b) // want `b is used after u.Arena.Reset`
	}
	u.blocks = u.blocks[:0]
	return n
}

func (u *unit) restart() {
	u.Reset()
	u.blocks = u.blocks[:0]
	for _, b := range u.blocks {
		fmt.Println(len(*b))
	}
}

func (u *unit) undo() {
	u.Reset()
	u.blocks = nil
	u.ResetTo(u.start) // want `u.start is used after u.Arena.Reset`
}
