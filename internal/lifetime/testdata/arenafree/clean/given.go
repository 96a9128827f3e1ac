package clean

import (
	"example.org/t/helper"
	"github.com/heapwright/heapwright/arena"
)

// The function of the other package calls one that is not followed, and which frees the arena.
func countsLastPages(text string, wide []bool) int {
	a := arena.NewArena()
	return helper.LastPages(a, text, wide)
}

// A message lies in the arena that it holds.
type message struct {
	room *arena.Arena
	text string
}

func newMessage(text string) *message {
	room := arena.NewArena()
	m := arena.New[message](room)
	m.room, m.text = room, arena.String(room, text)
	return m
}

func sendsAll(texts [2]string, send func(string)) {
	all := []*message{newMessage(texts[0]), newMessage(texts[1])}
	for _, m := range all {
		send(m.text)
		m.room.Free()
	}
}

type scratch struct{ mem *arena.Arena }

func (s *scratch) close() { s.mem.Free() }

// The function that gets the owner may close it.
func handsScratchOver(take func(*scratch)) {
	take(&scratch{mem: arena.NewArena()})
}

func appliesSteps(in []int, steps []func(*scratch, []int) []int) int {
	s := &scratch{mem: arena.NewArena()}
	defer s.close()
	for _, step := range steps {
		if in = step(s, in); len(in) == 0 {
			return 0
		}
	}
	return len(in)
}
