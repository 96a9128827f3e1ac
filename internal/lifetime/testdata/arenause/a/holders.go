package a

import (
	"fmt"
	"sync/atomic"

	"github.com/heapwright/heapwright/arena"
)

type shared struct {
	holders atomic.Int32
	a       *arena.Arena
	rows    []string
}

func newShared() *shared {
	s := &shared{a: arena.NewArena()}
	s.holders.Store(1)
	return s
}

func (s *shared) release() {
	if s.holders.Add(-1) == 0 {
		s.a.Free()
	}
}

func lastHolder(lines []string) {
	s := newShared()
	s.rows = arena.Append(s.a, s.rows, lines...)
	s.release()
	fmt.Println(s.rows) // want `s.rows is used after Free of the arena of s \(line \d+\), which release calls`
}

type plainlyShared struct {
	holders int
	a       *arena.Arena
	rows    []string
}

func (s *plainlyShared) release() {
	s.holders--
	if s.holders > 0 {
		return
	}
	s.a.Free()
}

func lastPlainHolder(lines []string) {
	s := &plainlyShared{holders: 2, a: arena.NewArena()}
	s.rows = arena.Append(s.a, s.rows, lines...)
	s.release()
	fmt.Println(s.rows)
	s.release()
	fmt.Println(s.rows) // want `s.rows is used after s.a.Free`
}
